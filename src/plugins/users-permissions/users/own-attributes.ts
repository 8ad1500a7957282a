/** Attributes of users that only we write. */
export const ownAttributes = ['resetPasswordExpiresAt', 'confirmationExpiresAt', 'passwordChangedAt'] as const;

/** The field of entries with the id of the user who created them; absent: it was no user. */
export const CREATED_BY = '_createdBy';
/** That of the user who made the last change. */
export const UPDATED_BY = '_updatedBy';

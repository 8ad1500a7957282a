import type { Anything, Named } from '../strapi.js';

type Schemas = Readonly<Record<string, (yup: Anything) => unknown>>;

const text = (yup: Anything): Anything => yup.string().required();
const email = (yup: Anything): Anything => yup.string().email().required();
const ids = (yup: Anything): Anything => yup.array().of(yup.object({ id: yup.strapiID().required() }));

/** A role by its id, or as the relation that the panel sends. */
const role = (yup: Anything, id: unknown, links: object): unknown =>
  yup.lazy((value: unknown) => (typeof value === 'object' ? yup.object(links) : id));

const auth: Schemas = {
  validateCallbackBody: (yup) => yup.object({ identifier: text(yup), password: text(yup) }),
  validateRegisterBody: (yup) => yup.object({ email: email(yup), username: text(yup), password: text(yup) }),
  validateSendEmailConfirmationBody: (yup) => yup.object({ email: email(yup) }),
  validateEmailConfirmationBody: (yup) => yup.object({ confirmation: text(yup) }),
  validateForgotPasswordBody: (yup) => yup.object({ email: email(yup) }).noUnknown(),
  validateResetPasswordBody: (yup) =>
    yup.object({ password: text(yup), passwordConfirmation: text(yup), code: text(yup) }).noUnknown(),
  validateChangePasswordBody: (yup) =>
    yup
      .object({
        password: text(yup),
        passwordConfirmation: text(yup).oneOf([yup.ref('password')], 'Passwords do not match'),
        currentPassword: text(yup),
      })
      .noUnknown(),
};

const user: Schemas = {
  validateCreateUserBody: (yup) =>
    yup.object({
      email: email(yup),
      username: text(yup).min(1),
      password: text(yup).min(1),
      role: role(yup, yup.strapiID().required(), { connect: ids(yup).min(1, 'Users must have a role').required() }),
    }),
  validateUpdateUserBody: (yup) =>
    yup.object({
      email: yup.string().email().min(1),
      username: yup.string().min(1),
      password: yup.string().min(1),
      role: role(yup, yup.strapiID(), {
        connect: ids(yup).required(),
        disconnect: ids(yup)
          .required()
          .test('keepsRole', 'Cannot remove role', function keepsRole(this: Anything, removed: readonly unknown[]) {
            return this.parent.connect?.length > 0 || removed.length === 0;
          }),
      }),
    }),
  validateDeleteRoleBody: (yup) => yup.object({ role: yup.strapiID().required() }),
};

/** Functions that validate a body; yup is loaded when the first one is called. */
const validators = (utils: Named, schemas: Schemas): Named =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      (body: unknown, message?: string): unknown =>
        utils['validateYupSchema'](schema(utils['yup']))(body, message) as unknown,
    ]),
  );

/** What users-permissions asks of bodies: the files `validation/auth` and `validation/user` of its controllers. */
export const usersValidation = (utils: Named): { readonly auth: Named; readonly user: Named } => ({
  auth: validators(utils, auth),
  user: validators(utils, user),
});

/** What upload asks of the body of a form, of one file or of several. @throws YupValidationError */
export const uploadValidation =
  (utils: Named) =>
  (data: unknown = {}, isMulti = false): unknown => {
    const { yup } = utils;
    const info = yup
      .object({
        name: yup.string().nullable(),
        alternativeText: yup.string().nullable(),
        caption: yup.string().nullable(),
      })
      .noUnknown();
    const schema: unknown = yup.object({ fileInfo: isMulti ? yup.array().of(info) : info });
    return utils['validateYupSchema'](schema, { strict: false })(data) as unknown;
  };

/** What no content type has: the types of operations, and of plugins, in SDL. */
export const typesOfPlugins = `
scalar I18NLocaleCode

type DeleteMutationResponse { documentId: ID! }

input FileInfoInput { name: String alternativeText: String caption: String }

type UploadFile { related: [GenericMorph] }

type Query { me: UsersPermissionsMe }

type Mutation {
  updateUploadFile(id: ID!, info: FileInfoInput): UploadFile!
  deleteUploadFile(id: ID!): UploadFile
  "Create a new role"
  createUsersPermissionsRole(data: UsersPermissionsRoleInput!): UsersPermissionsCreateRolePayload
  "Update an existing role"
  updateUsersPermissionsRole(id: ID!, data: UsersPermissionsRoleInput!): UsersPermissionsUpdateRolePayload
  "Delete an existing role"
  deleteUsersPermissionsRole(id: ID!): UsersPermissionsDeleteRolePayload
  "Create a new user"
  createUsersPermissionsUser(data: UsersPermissionsUserInput!): UsersPermissionsUserEntityResponse!
  "Update an existing user"
  updateUsersPermissionsUser(id: ID!, data: UsersPermissionsUserInput!): UsersPermissionsUserEntityResponse!
  "Delete an existing user"
  deleteUsersPermissionsUser(id: ID!): UsersPermissionsUserEntityResponse!
  login(input: UsersPermissionsLoginInput!): UsersPermissionsLoginPayload!
  "Register a user"
  register(input: UsersPermissionsRegisterInput!): UsersPermissionsLoginPayload!
  "Request a reset password token"
  forgotPassword(email: String!): UsersPermissionsPasswordPayload
  "Reset user password. Confirm with a code (resetToken from forgotPassword)"
  resetPassword(password: String!, passwordConfirmation: String!, code: String!): UsersPermissionsLoginPayload
  "Change user password. Confirm with the current password."
  changePassword(currentPassword: String!, password: String!, passwordConfirmation: String!): UsersPermissionsLoginPayload
  "Confirm an email users email address"
  emailConfirmation(confirmation: String!): UsersPermissionsLoginPayload
}

type UsersPermissionsMe {
  id: ID!
  documentId: ID!
  username: String!
  email: String
  confirmed: Boolean
  blocked: Boolean
  role: UsersPermissionsMeRole
}

type UsersPermissionsMeRole { id: ID! name: String! description: String type: String }

input UsersPermissionsLoginInput { identifier: String! password: String! provider: String! = "local" }

input UsersPermissionsRegisterInput { username: String! email: String! password: String! }

type UsersPermissionsLoginPayload { jwt: String user: UsersPermissionsMe! }

type UsersPermissionsPasswordPayload { ok: Boolean! }

type UsersPermissionsCreateRolePayload { ok: Boolean! }

type UsersPermissionsUpdateRolePayload { ok: Boolean! }

type UsersPermissionsDeleteRolePayload { ok: Boolean! }
`;

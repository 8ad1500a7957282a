/** What the types of plugins have beside those of Strapi v4's schema, and their operations on files, in SDL. */
export const typesOfPlugins = `
scalar I18NLocaleCode

type DeleteMutationResponse { documentId: ID! }

input FileInfoInput { name: String alternativeText: String caption: String }

type UploadFile { related: [GenericMorph] }

type Mutation {
  updateUploadFile(id: ID!, info: FileInfoInput): UploadFile!
  deleteUploadFile(id: ID!): UploadFile
}

type UsersPermissionsMe { documentId: ID! }
`;

import { GraphQLError, type GraphQLResolveInfo, GraphQLScalarType } from 'graphql';
import type { Entry } from '../../documents/entries.js';
import { AppError, ifNotFound } from '../../errors/app-error.js';
import { arrivedBody } from '../contract/arrived-body.js';
import type { ReceivedFile } from '../contract/forms.js';
import {
  type GraphqlContext,
  type GraphqlParts,
  type GraphqlResolver,
  UploadedFile,
} from '../contract/graphql/parts.js';
import type { BuiltInContext } from '../contract/built-in.js';
import type { Data } from '../../config/record.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { parseFolderEdit, parseNewFolder } from './folders/parse-folder.js';
import { FILE, fileAction, fileTypeOf, folderAction, folderTypeOf } from './definitions.js';
import { parseFileInfo } from './media/file-info.js';
import { parseId, requireId } from '../../query/parse/input.js';
import { addFiles, type Sender } from './forms/write-files.js';
import type { Running } from './running.js';
import { createBatchLoader } from '../contract/batch-loader.js';
import { findRelated, type RelatedRequest, type RelatedEntry } from './media/find-related.js';

const typeDefs = `
scalar Upload

input FileInfoInput {
  name: String
  alternativeText: String
  caption: String
}

type UploadFile {
  related: [GenericMorph]
}

type Mutation {
  upload(refId: ID, ref: String, field: String, info: FileInfoInput, file: Upload!): UploadFileEntityResponse!
  multipleUpload(refId: ID, ref: String, field: String, files: [Upload]!): [UploadFileEntityResponse]!
  updateFileInfo(id: ID!, info: FileInfoInput): UploadFileEntityResponse!
  removeFile(id: ID!): UploadFileEntityResponse
}
`;

const actions: GraphqlParts['actions'] = {
  'Query.uploadFiles': fileAction('find'),
  'Query.uploadFile': fileAction('findOne'),
  'Mutation.createUploadFile': fileAction('upload'),
  'Mutation.updateUploadFile': fileAction('upload'),
  'Mutation.deleteUploadFile': fileAction('destroy'),
  'Mutation.upload': fileAction('upload'),
  'Mutation.multipleUpload': fileAction('upload'),
  'Mutation.updateFileInfo': fileAction('upload'),
  'Mutation.removeFile': fileAction('destroy'),
};

const folderActions: GraphqlParts['actions'] = {
  'Mutation.createUploadFolder': folderAction('create'),
  'Mutation.updateUploadFolder': folderAction('update'),
  'Mutation.deleteUploadFolder': folderAction('delete'),
};

/** Files in GraphQL, with the operations of REST. */
export function createGraphql({ registry }: BuiltInContext, parts: () => Running, hasFolders: boolean): GraphqlParts {
  const type = fileTypeOf(registry);
  const ofFolders = hasFolders ? folderMutations(registry, parts) : {};
  const showOf = createShow(type, parts);
  return {
    typeDefs,
    actions: hasFolders ? { ...actions, ...folderActions } : actions,
    // The schema is that of Strapi v4.
    rules: (['output', 'input', 'filters'] as const).map((without) => ({ uid: FILE, field: 'focalPoint', without })),
    resolvers: {
      Upload: uploadScalar,
      UploadFile: { related: resolveRelated(() => parts().context) },
      Mutation: {
        ...ofFolders,
        upload: async (_, { file, info: infoInput, ...target }, request, info) => {
          const form = { ...target, fileInfo: infoInput ?? undefined };
          const show = showOf(request, info);
          const [added] = await addFiles(parts(), [sentFile(file)], form, senderOf(request, info));
          return show(added as Entry);
        },
        multipleUpload: async (_, { files: received, ...target }, request, info) => {
          const files = (received as readonly (SentFile | null)[]).filter((file) => file !== null).map(sentFile);
          if (files.length === 0) return [];
          const show = showOf(request, info);
          return Promise.all((await addFiles(parts(), files, target, senderOf(request, info))).map(show));
        },
        updateFileInfo: async (_, { id, info: infoInput }, request, info) => {
          const fileId = requireId(id, 'Entity not found');
          const show = showOf(request, info);
          return show(await parts().files.describe(fileId, parseFileInfo(infoInput ?? undefined, false)));
        },
        removeFile: async (_, { id }, { entryRequest }, info) => {
          const fileId = parseId(id);
          if (fileId === undefined) return null;
          const removed = parts().context.documents.delete({ type, id: fileId }, entryRequest(type, info));
          return removed.then((value) => ({ value }), ifNotFound(null));
        },
      },
    },
  };
}

/**
 * Who uploads, and the arguments as they arrived: a target that a middleware of the field has set is not the client's.
 */
const senderOf = ({ caller, address }: GraphqlContext, info: GraphQLResolveInfo): Sender => {
  const arrived = arrivedBody(info) as Data | undefined;
  // Over REST its information has another name.
  return { caller, address, arrived: arrived && { ...arrived, fileInfo: arrived['info'] } };
};

/** Shows an entry that is about to be written, in the requested selection. */
const createShow =
  (type: ContentType, parts: () => Running) =>
  ({ entryRequest }: GraphqlContext, info: GraphQLResolveInfo) => {
    const read = parts().context.documents.readAfterWrite(type, entryRequest(type, info));
    return async ({ id }: Pick<Entry, 'id'>): Promise<{ readonly value: unknown }> => ({ value: await read(id) });
  };

/** The generated mutations, by the rules of the routes. As there, the service sets the paths. */
function folderMutations(registry: Registry, parts: () => Running): Readonly<Record<string, GraphqlResolver>> {
  const type = folderTypeOf(registry);
  const showOf = createShow(type, parts);
  const editOf = ({ name, parent }: Data): Data => ({ name, parent });
  return {
    createUploadFolder: async (_, { data }, request, info) => {
      const show = showOf(request, info);
      return show(await parts().folders.create(parseNewFolder(editOf(data))));
    },
    updateUploadFolder: async (_, { id, data }, request, info) => {
      const show = showOf(request, info);
      return show(await parts().folders.update(requireId(id), parseFolderEdit(editOf(data))));
    },
    deleteUploadFolder: async (_, { id }, request, info) => {
      const folder = { id: requireId(id) };
      const shown = await showOf(request, info)(folder);
      await parts().folders.remove({ folders: [folder.id], files: [] }, false);
      return shown;
    },
  };
}

/** A file as an argument; one that the form lacks stays as it was placed. */
type SentFile = ReceivedFile | UploadedFile;

/** As in Strapi v4, a missing file is an error of the field that takes it. @throws AppError badRequest */
function sentFile(file: SentFile): ReceivedFile {
  if (file instanceof UploadedFile) throw new AppError('badRequest', 'File missing in the request.');
  return file;
}

/** Files as arguments. They are variables by the GraphQL multipart request specification only. */
export const uploadScalar = new GraphQLScalarType({
  name: 'Upload',
  description: 'The `Upload` scalar type represents a file upload.',
  parseValue: (value) => {
    if (value instanceof UploadedFile) return value.file ?? value;
    throw new GraphQLError('Upload value invalid.');
  },
  parseLiteral: (node) => {
    throw new GraphQLError('Upload literal unsupported.', { nodes: node });
  },
  serialize: () => {
    throw new GraphQLError('Upload serialization unsupported.');
  },
});

/** Entries with a file in their media fields, looked up once for all files of one field of a query. */
function resolveRelated(context: () => BuiltInContext): GraphqlResolver {
  const load = createBatchLoader<readonly RelatedEntry[]>();
  return async ({ id }: { readonly id: number }, _, request, info) => {
    const { caller, signal, bytesRead, selected } = request;
    const related: RelatedRequest = { caller, signal, bytesRead, form: 'graphql', select: (of) => selected(of, info) };
    const selectionKey = String(info.fieldNodes[0]?.loc?.start);
    return (await load(request, selectionKey, id, (ids) => findRelated(context(), ids, related))) ?? [];
  };
}

/**
 * The kind of database that code asks for before it corrects sequences and the like in SQL, wherever it asks: of those
 * of Strapi v4 the one that needs nothing of the kind.
 */
export const CLIENT_OF_SQL = 'sqlite';

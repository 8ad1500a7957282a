import lodash from 'lodash';
import { isRecord } from '../../../config/record.js';
import { readDeclared } from '../../../content-types/load/read-options.js';
import type { Report } from '../../../content-types/load/report.js';
import * as shapes from '../../../content-types/model/settings-schema.js';

/** Who has this value in a claim, or in the list that the claim is, gets the role of this type. */
export interface RoleRow {
  /** The name or the path of a claim, such as `groups` or `realm_access.roles`. */
  readonly claim: string;
  readonly value: string;
  readonly role: string;
}

const columns = { claim: shapes.filledString, value: shapes.filledString, role: shapes.filledString };

/** Parses the table of roles of a provider. A row with an error is reported: a table is never read in part. */
export const parseRoleRows = (rows: readonly unknown[], path: string, report: Report): readonly RoleRow[] =>
  rows.map((row, index) => {
    const { claim = '', value = '', role = '' } = readDeclared(row, columns, `${path}.${index}.`, report);
    for (const column of Object.keys(columns))
      if (isRecord(row) && (row[column] === undefined || row[column] === null))
        report(`${path}.${index}.${column}`, 'is missing');
    return { claim, value, role };
  });

/** The type of the role in the first row that is true of these claims, if there is one. */
export const claimedRole = (rows: readonly RoleRow[], claims: unknown): string | undefined =>
  rows.find(({ claim, value }) => [lodash.get(claims, claim) as unknown].flat().includes(value))?.role;

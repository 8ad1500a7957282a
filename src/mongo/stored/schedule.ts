/** The field of entries with their schedule: one update can execute it and record that it was executed. */
export const SCHEDULE = '_schedule';

/** The method of a logger for errors. */
export interface ErrorLog {
  error(details: object, message: string): void;
}

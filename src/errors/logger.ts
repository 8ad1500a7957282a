/** The logger of the service: logs a message, or details with one. `{ err }` is an error with its stack. */
export interface Logger {
  info(details: object | string, message?: string): void;
  warn(details: object | string, message?: string): void;
  error(details: object | string, message?: string): void;
}

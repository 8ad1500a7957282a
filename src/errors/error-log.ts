/** The part of a logger that takes errors whole. */
export interface ErrorLog {
  error(details: object, message: string): void;
}

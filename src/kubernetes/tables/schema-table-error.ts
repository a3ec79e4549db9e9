/**
 * A built-in type that cannot stand in a CRD. Thrown by `structuralSchema`; whoever knows the place in the user's source
 * makes a finding of it.
 */
export class SchemaTableError extends Error {
  /**
   * `unknown`: the table has no such type. `recursive`: the type contains itself, and CRDs have no references.
   * `not-structural`: its schema breaks a rule for CRDs, as the message says.
   */
  readonly reason: 'unknown' | 'recursive' | 'not-structural';
  /** The way from the type that was asked for to the trouble, as type names and field names. */
  readonly path: readonly string[];

  constructor(reason: SchemaTableError['reason'], message: string, path: readonly string[]) {
    super(message);
    this.name = 'SchemaTableError';
    this.reason = reason;
    this.path = path;
  }
}

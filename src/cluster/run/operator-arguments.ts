/** Settings for a debugger that attaches to the operator. */
export interface Inspection {
  /** `[host:]port`. Default: Node's, `127.0.0.1:9229`. */
  readonly address?: string | undefined;
  /** Wait for a debugger before the first line. */
  readonly wait: boolean;
}

/** The arguments of Node that run a bundled operator on this machine. */
export function operatorArguments(options: {
  /** The bundle, relative to the project. */
  readonly bundle: string;
  readonly inspect?: Inspection | undefined;
  /** For Node itself. Default: none. */
  readonly nodeFlags?: readonly string[] | undefined;
  /** The flags of {@link ListenAddresses}. */
  readonly addresses: readonly string[];
  /** The flags of the operator; those that are said twice count the last time. */
  readonly flags: readonly string[];
}): readonly string[] {
  const { bundle, inspect, nodeFlags = [], addresses, flags } = options;
  return ['--enable-source-maps', ...nodeFlags, ...inspectFlags(inspect), bundle, ...addresses, ...flags];
}

function inspectFlags(inspect: Inspection | undefined): readonly string[] {
  if (inspect === undefined) return [];
  const flag = inspect.wait ? '--inspect-brk' : '--inspect';
  return [inspect.address === undefined ? flag : `${flag}=${inspect.address}`];
}

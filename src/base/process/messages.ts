/** A process that the guardian is to start. The environment is exactly `env`. */
export interface SpawnMessage {
  readonly type: 'spawn';
  readonly id: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files that stdout and stderr are appended to; without them, both are the guardian's own. */
  readonly logFiles?: { readonly stdout: string; readonly stderr: string };
  /** Milliseconds between SIGTERM and SIGKILL when the owner goes or says `stop`; 0 kills at once. */
  readonly grace: number;
}

/** Messages of the owner to the guardian. */
export type GuardianRequest =
  | SpawnMessage
  | { readonly type: 'signal'; readonly id: number; readonly signal: NodeJS.Signals }
  | { readonly type: 'stop' };

/** Messages of the guardian to its owner. */
export type GuardianReport =
  | { readonly type: 'spawned'; readonly id: number; readonly pid: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | {
      readonly type: 'exited';
      readonly id: number;
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    };

import type { Connection } from '../../kube/index.ts';
import type { Client } from '../../kube/types.ts';
import type { RunReflector } from '../cache/index.ts';

/** The parts of a cluster that a manager needs. */
export interface ClusterAccess {
  readonly client: Client;
  /** For requests that are about no object. */
  readonly connection: Pick<Connection, 'request'>;
  readonly reflect: RunReflector;
  close(): Promise<void>;
}

import type { RbacRule } from '../../api/index.ts';
import type { CachedKind } from '../cache/index.ts';
import type { ReconcileObserver } from '../controller/index.ts';
import type { Logger } from '../create-logger.ts';
import type { Election } from '../election/index.ts';
import type { ListenAddress } from '../../net/index.ts';
import type { MetricsSettings } from '../metrics/index.ts';
import type { ClusterAccess } from './cluster-access.ts';
import type { ConversionKeySettings } from '../webhook/conversion-key/settings.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

/** The options of a manager, checked and connected. */
export interface ManagerSettings {
  readonly name: string;
  readonly log: Logger;
  readonly cluster: ClusterAccess;
  /** Undefined: this process works at once. */
  readonly election?: Election | undefined;
  readonly namespaces: readonly string[] | undefined;
  readonly cache?: readonly CachedKind[] | undefined;
  readonly permissions?: readonly RbacRule[] | undefined;
  readonly onReconcile?: ReconcileObserver | undefined;
  readonly health: ListenAddress | undefined;
  readonly metrics: MetricsSettings | undefined;
  readonly webhooks?: WebhooksOptions | undefined;
  /** Undefined: a key of the process signs the data of conversions. */
  readonly conversionKey?: ConversionKeySettings | undefined;
  /** Offer HTTP/2 on HTTPS servers. */
  readonly http2?: boolean;
  /** Milliseconds that webhooks go on after the stop was asked for. */
  readonly shutdownDelay: number;
  /** Milliseconds. */
  readonly gracefulShutdownTimeout: number;
  /** Milliseconds. */
  readonly cacheSyncTimeout: number;
}

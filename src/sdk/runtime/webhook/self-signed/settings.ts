import { OpSdkError } from '../../../../base/errors/index.ts';
import type { DurationLike } from '../../duration.ts';

/** Secret of the certificate, its Service, and the objects that have to trust it. */
export interface SelfSignedSettings {
  /** Namespace of the operator, with its Service and its Secret. */
  readonly namespace: string;
  /** The Service with which the API server calls the webhooks. */
  readonly service: string;
  /** The Secret that all replicas share. */
  readonly secret: string;
  /** The MutatingWebhookConfiguration; undefined without one. */
  readonly mutating: string | undefined;
  /** The ValidatingWebhookConfiguration; undefined without one. */
  readonly validating: string | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that config/default/manager_webhook_patch.yaml sets; kustomize inserts the names including `namePrefix`. */
const variables = {
  namespace: 'POD_NAMESPACE',
  service: 'WEBHOOK_SERVICE_NAME',
  secret: 'WEBHOOK_SECRET_NAME',
} as const;

/**
 * Reads from the environment whether the operator creates the certificate of its webhooks itself. Not under OLM (OPERATOR_CONDITION_NAME is
 * set): OLM creates and mounts one.
 *
 * @returns undefined if it does not
 * @throws OpSdkError `runtime/invalid-self-signed` if the environment is incomplete
 */
export function selfSignedSettings(env: Env): SelfSignedSettings | undefined {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  if (text(variables.secret) === undefined && text(variables.service) === undefined) return undefined;
  if (text('OPERATOR_CONDITION_NAME') !== undefined) return undefined;
  const missing = Object.values(variables).filter((name) => text(name) === undefined);
  if (missing.length > 0) {
    throw new OpSdkError({
      code: 'runtime/invalid-self-signed',
      message: `self-signed certificates: expected the environment to set ${Object.values(variables).join(', ')}; ${missing.join(' and ')} is missing`,
      fix: [
        'set them as config/default/manager_webhook_patch.yaml of a new project does',
        'or remove them all and give --webhook-cert-path',
      ],
    });
  }
  return {
    namespace: text(variables.namespace) ?? '',
    service: text(variables.service) ?? '',
    secret: text(variables.secret) ?? '',
    mutating: text('WEBHOOK_MUTATING_CONFIGURATION'),
    validating: text('WEBHOOK_VALIDATING_CONFIGURATION'),
  };
}

/** Lifetimes of certificates, and the time for which a change may propagate. Milliseconds. */
export interface Lifetimes {
  /** Lifetime of the authority; it is renewed when a third is left. */
  readonly authority: number;
  /** Lifetime of the server's certificate; it is renewed when a third is left. At most a third of the authority's. */
  readonly certificate: number;
  /** Time between two steps of a change of the authority, in which API servers and replicas observe the previous step. */
  readonly settle: number;
}

const day = 86_400_000;

/** A year for the authority, 90 days for the server's certificate, five minutes for a step. */
export const defaultLifetimes: Lifetimes = { authority: 365 * day, certificate: 90 * day, settle: 300_000 };

/**
 * Returns the interval for checking times and retrying failures, in milliseconds: ten seconds, or a third of the time to settle if that is
 * shorter, so that no step is late. Changes in the cluster are watched.
 */
export const lookEvery = ({ settle }: Lifetimes): number => Math.min(10_000, settle / 3);

/**
 * Options of certificates that the operator creates itself: their Secret, their Service, the objects that have to trust them, and their
 * lifetimes.
 */
export interface SelfSignedOptions extends SelfSignedSettings {
  /** Lifetime of the server's certificate, which is renewed when a third is left; at most a third of the authority's. Default: 90 days. */
  readonly certificateLifetime?: DurationLike | undefined;
  /** Lifetime of the authority, which is renewed when a third is left. Default: 365 days. */
  readonly authorityLifetime?: DurationLike | undefined;
}

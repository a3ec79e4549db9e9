import { OpSdkError } from '../../../../base/errors/index.ts';
import type { DurationLike } from '../../duration.ts';

/** Settings of a certificate that the operator creates: its Secret, its Service, and the objects that have to trust it. */
export interface SelfSignedSettings {
  /** Namespace of the operator, which contains the Service and the Secret. */
  readonly namespace: string;
  /** Name of the Service through which the API server calls the webhooks. */
  readonly service: string;
  /** Name of the Secret that all replicas share. */
  readonly secret: string;
  /** Name of the MutatingWebhookConfiguration; undefined if the operator has none. */
  readonly mutating: string | undefined;
  /** Name of the ValidatingWebhookConfiguration; undefined if the operator has none. */
  readonly validating: string | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Environment variables that config/default/manager_webhook_patch.yaml sets. Kustomize inserts the names of the objects, including
 * `namePrefix`.
 */
const variables = {
  namespace: 'POD_NAMESPACE',
  service: 'WEBHOOK_SERVICE_NAME',
  secret: 'WEBHOOK_SECRET_NAME',
} as const;

/**
 * Reads from the environment whether the operator has to create the certificate of its webhooks itself. Under OLM (OPERATOR_CONDITION_NAME
 * is set) it does not, because OLM creates and mounts a certificate.
 *
 * @returns undefined if the operator does not create the certificate
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

/** Lifetimes of certificates, and the time between two steps of a change of the authority, all in milliseconds. */
export interface Lifetimes {
  /** Lifetime of the authority, which is renewed when a third of this time is left. */
  readonly authority: number;
  /**
   * Lifetime of the server's certificate, which is renewed when a third of this time is left. At most a third of the authority's lifetime.
   */
  readonly certificate: number;
  /** Time between two steps of a change of the authority, so that all API servers and replicas observe the previous step. */
  readonly settle: number;
}

const day = 86_400_000;

/** Default lifetimes: a year for the authority, 90 days for the server's certificate, and five minutes between two steps. */
export const defaultLifetimes: Lifetimes = { authority: 365 * day, certificate: 90 * day, settle: 300_000 };

/**
 * Returns the interval in milliseconds at which the operator checks if a change of the certificates is due, and retries failures: ten
 * seconds, or a third of `settle` if that is shorter, so that steps are not late. Changes in the cluster are watched, independently of this
 * interval.
 */
export const lookEvery = ({ settle }: Lifetimes): number => Math.min(10_000, settle / 3);

/**
 * Options of certificates that the operator creates itself: the Secret, the Service, the objects that have to trust the certificates, and
 * the lifetimes.
 */
export interface SelfSignedOptions extends SelfSignedSettings {
  /**
   * Lifetime of the server's certificate, which is renewed when a third of this time is left. At most a third of the authority's lifetime.
   * Default: 90 days.
   */
  readonly certificateLifetime?: DurationLike | undefined;
  /** Lifetime of the authority, which is renewed when a third of this time is left. Default: 365 days. */
  readonly authorityLifetime?: DurationLike | undefined;
}

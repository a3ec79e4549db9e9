import { OpSdkError } from '../../../../base/errors/index.ts';
import type { DurationLike } from '../../duration.ts';

/** Where the certificate is kept, whom it is for, and who has to trust it. */
export interface SelfSignedSettings {
  /** Namespace of the operator, with its Service and its Secret. */
  readonly namespace: string;
  /** The Service by which the API server asks the webhooks. */
  readonly service: string;
  /** The Secret that all replicas share. */
  readonly secret: string;
  /** The MutatingWebhookConfiguration; undefined without one. */
  readonly mutating: string | undefined;
  /** The ValidatingWebhookConfiguration; undefined without one. */
  readonly validating: string | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that config/default/manager_webhook_patch.yaml sets; kustomize fills in the names as they are after `namePrefix`. */
const variables = {
  namespace: 'POD_NAMESPACE',
  service: 'WEBHOOK_SERVICE_NAME',
  secret: 'WEBHOOK_SECRET_NAME',
} as const;

/**
 * Reads from the environment if the operator makes the certificate of its webhooks itself. Under OLM (OPERATOR_CONDITION_NAME is set) it does
 * not: OLM makes and mounts one.
 *
 * @returns undefined: it does not
 * @throws OpSdkError `runtime/invalid-self-signed` if the environment says only a part
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

/** Lifetimes of certificates, and the time that a change may take to reach everybody. Milliseconds. */
export interface Lifetimes {
  /** Lifetime of the authority; renewed when a third is left. */
  readonly authority: number;
  /** Lifetime of the server's certificate; renewed when a third is left. At most a third of the authority's. */
  readonly certificate: number;
  /** Between two steps of a change of the authority: as long as API servers and replicas may need to see the step before. */
  readonly settle: number;
}

const day = 86_400_000;

/** A year for the authority, 90 days for the server's certificate, five minutes for a step. */
export const defaultLifetimes: Lifetimes = { authority: 365 * day, certificate: 90 * day, settle: 300_000 };

/**
 * Interval of looking at the time and at failures, milliseconds: every ten seconds, or in a third of the time to settle if that is
 * shorter, so that no step comes too late. Changes in the cluster are watched.
 */
export const lookEvery = ({ settle }: Lifetimes): number => Math.min(10_000, settle / 3);

/** Certificates that the operator makes itself: where they are kept, whom they are for, who has to trust them, and how long they last. */
export interface SelfSignedOptions extends SelfSignedSettings {
  /** Lifetime of the server's certificate, which is renewed when a third is left; at most a third of the authority's. Default: 90 days. */
  readonly certificateLifetime?: DurationLike | undefined;
  /** Lifetime of the authority, which is renewed when a third is left. Default: 365 days. */
  readonly authorityLifetime?: DurationLike | undefined;
}

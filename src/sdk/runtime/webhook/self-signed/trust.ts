import type { Resource } from '../../../api/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../../k8s/generated/apiextensions/v1.ts';
import type { SelfSignedSettings } from './settings.ts';

/** An object in which the API server reads whom it has to trust. */
export interface TrustTarget {
  readonly resource: Resource;
  readonly name: string;
}

/** Any of the three kinds, as it is stored. */
export type Trusting =
  MutatingWebhookConfiguration | ValidatingWebhookConfiguration | CustomResourceDefinition;

/** Returns the part of an object that is read here. Those of CustomResourceDefinitions are large. */
export function trustPart(object: Trusting): Trusting {
  if (object.kind !== 'CustomResourceDefinition') return object;
  const { apiVersion, kind, metadata, spec } = object;
  return { apiVersion, kind, metadata, spec: { conversion: spec.conversion } } as CustomResourceDefinition;
}

/** The objects that have to trust the operator. */
export function trustTargets(settings: SelfSignedSettings, definitions: readonly string[]): TrustTarget[] {
  const { mutating, validating } = settings;
  return [
    ...(mutating === undefined ? [] : [{ resource: MutatingWebhookConfiguration, name: mutating }]),
    ...(validating === undefined ? [] : [{ resource: ValidatingWebhookConfiguration, name: validating }]),
    ...definitions.map((name) => ({ resource: CustomResourceDefinition, name })),
  ];
}

/** Returns true if an object trusts an authority (PEM) wherever the operator's Service is asked. */
export function trusts(object: Trusting, authority: string, settings: SelfSignedSettings): boolean {
  return questionsOf(object, settings).every(({ clientConfig: { caBundle = '' } }) =>
    Buffer.from(caBundle, 'base64').toString('utf8').includes(authority),
  );
}

/** A question to the operator's Service: how it is asked, and the name of the webhook; a definition has one without a name. */
interface Question {
  readonly name?: string;
  readonly clientConfig: ClientConfig;
}

/** Returns the client configurations that are for the operator's Service, and for no other, such as one that `op-sdk run` has pointed at a developer's machine. */
function questionsOf(object: Trusting, { service, namespace }: SelfSignedSettings): readonly Question[] {
  const all: readonly { readonly name?: string; readonly clientConfig?: ClientConfig | undefined }[] =
    object.kind === 'CustomResourceDefinition'
      ? [{ clientConfig: object.spec.conversion?.webhook?.clientConfig }]
      : (object.webhooks ?? []);
  return all.flatMap(({ name, clientConfig }) =>
    clientConfig?.service?.name === service && clientConfig.service.namespace === namespace
      ? [{ ...(name === undefined ? {} : { name }), clientConfig }]
      : [],
  );
}

interface ClientConfig {
  readonly service?: { readonly name: string; readonly namespace: string } | undefined;
  readonly caBundle?: string | undefined;
}

/**
 * Returns the fields to apply so that an object trusts the operator: `caBundle` wherever its Service is asked.
 *
 * @param bundle base64
 * @returns undefined if it does so already
 */
export function missingTrust(
  object: Trusting,
  bundle: string,
  settings: SelfSignedSettings,
): object | undefined {
  const questions = questionsOf(object, settings);
  if (questions.every(({ clientConfig }) => clientConfig.caBundle === bundle)) return undefined;
  const { name } = object.metadata;
  const clientConfig = { caBundle: bundle };
  if (object.kind === 'CustomResourceDefinition')
    return { metadata: { name }, spec: { conversion: { webhook: { clientConfig } } } };
  // All of them: what is left out now would be removed as no longer wanted.
  return { metadata: { name }, webhooks: questions.map((webhook) => ({ name: webhook.name, clientConfig })) };
}

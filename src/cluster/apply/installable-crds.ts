import { type Finding, isOpSdkError, OpSdkError } from '../../base/errors/index.ts';
import {
  CustomResourceDefinition,
  type CustomResourceConversion,
} from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { type KubeClient, ApiError } from '../../sdk/kube/index.ts';
import { isJsonMap, jsonMapOf } from '../../base/util/json-map.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type ClusterObject, isCrd } from '../objects/cluster-object.ts';

/** Objects in a form that can be installed without the operator. */
interface InstallableObjects {
  readonly objects: readonly PlacedObject[];
  /** One warning `cluster/conversion-left-out` for each definition whose conversion was removed. */
  readonly warnings: readonly Finding[];
}

/**
 * Removes conversions that call a Service from CustomResourceDefinitions. This Service exists only together with the operator, and without
 * it the API server could read an object only in its stored version. A definition that already has a conversion by webhook on the cluster
 * keeps that conversion.
 */
export async function installableCrds(
  client: KubeClient,
  objects: readonly PlacedObject[],
  signal?: AbortSignal,
): Promise<InstallableObjects> {
  const judged = await Promise.all(
    objects.map(async (placed): Promise<InstallableObjects> => {
      const { object, where } = placed;
      if (!callsService(object)) return { objects: [placed], warnings: [] };
      const { name } = object.metadata;
      const live = await client.find(CustomResourceDefinition, { name }, { signal });
      const conversion = live?.spec.conversion;
      if (conversion?.strategy === 'Webhook')
        return { objects: [{ object: withConversion(object, asApplied(conversion)), where }], warnings: [] };
      return {
        objects: [{ object: withConversion(object, undefined), where }],
        warnings: [leftOut(name, where)],
      };
    }),
  );
  return {
    objects: judged.flatMap((each) => each.objects),
    warnings: judged.flatMap((each) => each.warnings),
  };
}

/**
 * Returns the objects without conversions that call a Service, for a new cluster on which neither the definitions nor the Services exist.
 */
export function withoutConversions(objects: readonly PlacedObject[]): readonly PlacedObject[] {
  return objects.map(({ object, where }) => ({
    object: callsService(object) ? withConversion(object, undefined) : object,
    where,
  }));
}

function callsService(object: ManifestObject): boolean {
  const { conversion } = jsonMapOf(object['spec']);
  const { webhook } = jsonMapOf(conversion);
  return isCrd(object) && isJsonMap(jsonMapOf(jsonMapOf(webhook)['clientConfig'])['service']);
}

function withConversion(
  object: ManifestObject,
  conversion: CustomResourceConversion | undefined,
): ManifestObject {
  const { conversion: _service, ...spec } = jsonMapOf(object['spec']);
  return { ...object, spec: conversion === undefined ? spec : { ...spec, conversion } };
}

/**
 * Returns a live conversion as it was originally applied. Removes the default port, and the CA certificate of a Service, because a CA
 * injector also sets it.
 */
function asApplied({ webhook, ...rest }: CustomResourceConversion): CustomResourceConversion {
  if (webhook === undefined) return rest;
  const { service, ...others } = webhook.clientConfig ?? {};
  if (service === undefined) return { ...rest, webhook };
  const { caBundle: _ca, ...client } = others;
  const { port, ...reference } = service;
  const kept = { ...reference, ...(port === 443 ? {} : { port }) };
  const clientConfig = { ...client, service: kept };
  return { ...rest, webhook: { ...webhook, clientConfig } };
}

function leftOut(name: string, where: PlacedObject['where']): Finding {
  return {
    code: 'cluster/conversion-left-out',
    message: `${name} is installed without spec.conversion, as the Service of the conversion webhook is deployed with the operator; until then the API server only changes the version of objects, and drops the fields that the new version does not have`,
    where,
    fix: ['run `op-sdk deploy`, which brings the operator and the conversion'],
  };
}

/**
 * Converts the API server's refusal of an object to findings with the position of the object in the author's file.
 *
 * @throws the error itself if it is not a response of the API server about the object, or reports missing authentication
 */
export function refusal(error: unknown, object: Pick<ClusterObject, 'title' | 'where'>): readonly Finding[] {
  if (!(error instanceof ApiError) || error.status === 401) throw error;
  const { title, where } = object;
  const said = serverWords(error);
  const finding = (code: Finding['code'], text: string, ...fix: readonly string[]): Finding => ({
    code,
    message: `${title}: ${text}`,
    where,
    ...(fix.length === 0 ? {} : { fix }),
  });
  if (/being terminated/.test(said)) {
    return [finding('cluster/being-deleted', said, 'wait until the namespace is gone, then run it again')];
  }
  if (/exceeded quota/.test(said)) {
    return [finding('cluster/quota-exceeded', said, 'raise the ResourceQuota, or ask for less')];
  }
  if (/failed calling webhook|conversion webhook .* failed/.test(said)) {
    const fix =
      'check that the webhook runs and has its certificate; after its installation it needs a moment';
    return [finding('cluster/webhook-failed', said, fix)];
  }
  if (/admission webhook .* denied|ValidatingAdmissionPolicy .* denied|violates PodSecurity/.test(said)) {
    return [finding('cluster/denied', said, 'change the object so that the policy accepts it')];
  }
  if (error.status === 403) return [forbidden(finding, said)];
  const wrong = wrongFields(error, said);
  if (wrong.length > 0) return wrong.map((text) => finding('cluster/invalid-object', text, fixFor(text)));
  if (error.status === 422 || error.status === 400) return [finding('cluster/invalid-object', said)];
  if (error.status === 409) {
    const fix = /precondition/i.test(said)
      ? 'run it again: another object has replaced it meanwhile'
      : 'remove metadata.resourceVersion and metadata.uid from the manifest: they belong to an older state';
    return [finding('cluster/refused', said, fix)];
  }
  return [finding('cluster/refused', said)];
}

/**
 * Converts a refusal to findings like {@link refusal}, and keeps earlier findings if an error ends the command.
 *
 * @param before earlier findings, which are thrown together with an error that ends the command
 */
export function refusalAfter(
  before: readonly Finding[],
  error: unknown,
  object: Pick<ClusterObject, 'title' | 'where'>,
): readonly Finding[] {
  try {
    return refusal(error, object);
  } catch (end) {
    if (!isOpSdkError(end) || before.length === 0) throw end;
    throw new OpSdkError([...before, ...end.findings], { cause: end });
  }
}

function forbidden(
  finding: (code: Finding['code'], text: string, ...fix: readonly string[]) => Finding,
  said: string,
): Finding {
  // Users cannot grant permissions by RBAC that they do not have themselves.
  const fix = /attempting to grant RBAC permissions/.test(said)
    ? 'use an identity that has these permissions itself, such as cluster-admin'
    : 'use a kubeconfig context whose user may do this';
  return finding('cluster/forbidden', said, fix);
}

function fixFor(wrong: string): string {
  return /immutable|cannot change|updates to .* forbidden|cannot be changed|may not change/i.test(wrong)
    ? 'leave the field as it is on the cluster, or delete the object there first, with all that depends on it'
    : 'correct or remove the field';
}

/** Returns the message without its description of the request. In findings, the object's title replaces this description. */
function serverWords(error: ApiError): string {
  const [{ message }] = error.findings;
  const end = message.indexOf(': ');
  return end < 0 ? message : message.slice(end + 2);
}

/** Returns the invalid fields that the response names; empty if it names none. */
function wrongFields({ details, status }: ApiError, said: string): readonly string[] {
  // Matches messages of strict decoding: `… strict decoding error: unknown field "spec.foo", duplicate field "spec.bar"`.
  const strict = [
    ...said.matchAll(
      /(?:unknown|duplicate) field "(?:[^"\\]|\\.)*"|\.[\w.[\]-]+: field not declared in schema/g,
    ),
  ];
  if (strict.length > 0) return [...new Set(strict.map(([text]) => text))];
  if (status !== 422) return [];
  const causes = (details?.causes ?? []).map(({ field = '', message = '' }) =>
    field === '' || field === '<nil>' ? message : `${field}: ${message}`,
  );
  return [...new Set(causes)];
}

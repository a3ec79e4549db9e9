import type { Finding } from '../../base/errors/index.ts';
import {
  CustomResourceDefinition,
  type CustomResourceConversion,
} from '../../sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { isJsonMap, jsonMapOf } from '../../base/util/json-map.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';
import { isCrd } from '../objects/crd-types.ts';

/** Objects as they can be installed without the operator. */
export interface InstallableObjects {
  readonly objects: readonly PlacedObject[];
  /** `cluster/conversion-left-out` for each definition whose conversion is left out. */
  readonly warnings: readonly Finding[];
}

/**
 * The same objects without conversions through a Service: it comes with the operator, and without it the API server could read no object in
 * a version that is not stored. A definition that is converted on the cluster already stays so.
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

/** The same objects without conversions through a Service, for a cluster that has none of them. */
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

/** Conversion as it was applied: without the default port, and without the CA of a Service, over which its injector and we would fight. */
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
    message: `${name}: spec.conversion is left out, as its Service comes with the operator; until then the API server only renames the version, and drops the fields that it does not have`,
    where,
    fix: ['run `op-sdk deploy`, which brings the operator and the conversion'],
  };
}

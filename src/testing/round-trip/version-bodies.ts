import type { Arbitrary } from 'fast-check';
import type { Resource } from '../../sdk/api/index.ts';
import type { CrdDocument } from '../../kubernetes/crd/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import {
  clone,
  type Json,
  type JsonObject,
  fillDefaults,
  removeNulls,
  listTypeErrors,
  prune,
  type Schema,
  schemaErrors,
} from '../../kubernetes/objects/index.ts';
import type { FastCheck } from './load-fast-check.ts';
import { valueArbitrary } from './value-arbitrary.ts';

/** So many objects in a row that the schema as a whole refuses mean that chance does not find one. */
const mostRefused = 1_000;

/** The bodies of one version of a kind: made by chance, and treated as the API server treats them. */
export class VersionBodies {
  readonly #schema: Schema;

  readonly resource: Resource;

  private constructor(resource: Resource, schema: Schema) {
    this.resource = resource;
    const {
      apiVersion: _apiVersion,
      kind: _kind,
      metadata: _metadata,
      ...properties
    } = schema.properties ?? {};
    this.#schema = { ...schema, properties };
  }

  /** @throws OpSdkError `testing/no-schema` */
  static of(resource: Resource, crds: readonly CrdDocument[]): VersionBodies {
    const crd = crds.find(({ spec }) => spec.group === resource.group && spec.names.kind === resource.kind);
    const version = crd?.spec.versions.find(({ name }) => name === resource.version);
    if (version !== undefined) return new VersionBodies(resource, version.schema.openAPIV3Schema);
    throw new OpSdkError({
      code: 'testing/no-schema',
      message:
        crd === undefined
          ? `found no CustomResourceDefinition of ${resource.kind} in ${resource.group}`
          : `the CustomResourceDefinition ${crd.metadata.name} has no version ${resource.version}`,
      fix: ['op-sdk generate manifests', 'or name the files of the definitions in crds'],
    });
  }

  /** As a client's write leaves it: without unknown fields, with defaults. */
  written(body: JsonObject): JsonObject {
    const copy = clone(body);
    removeNulls(copy, this.#schema);
    fillDefaults(copy, this.#schema);
    prune(copy, this.#schema);
    return copy;
  }

  /** As a client reads what was converted: without unknown fields. */
  read(body: JsonObject): JsonObject {
    const copy = clone(body);
    prune(copy, this.#schema);
    return copy;
  }

  /** Problems that the API server would report about a body, except for those of CEL rules. */
  problems(body: JsonObject): readonly string[] {
    return [...schemaErrors(body, this.#schema, ''), ...listTypeErrors(body, this.#schema)].map(
      ({ field, body: problem }) => `${field}: ${problem}`,
    );
  }

  /** Valid bodies, as they are stored. */
  arbitrary(fc: FastCheck, where: (body: JsonObject) => boolean): Arbitrary<JsonObject> {
    let refused = 0;
    const isUsable = (body: JsonObject): boolean => {
      const usable = this.problems(body).length === 0 && where(body);
      refused = usable ? 0 : refused + 1;
      if (refused > mostRefused) throw this.#noneValid(body);
      return usable;
    };
    return valueArbitrary(fc, { ...this.#schema, type: 'object' })
      .map((body: Json) => this.written(body as JsonObject))
      .filter(isUsable);
  }

  #noneValid(body: JsonObject): OpSdkError {
    const [problem = 'where() returned false'] = this.problems(body);
    return new OpSdkError({
      code: 'testing/no-valid-objects',
      message: `${this.resource.apiVersion} ${this.resource.kind}: none of ${mostRefused} generated objects is valid; the last: ${problem}`,
      fix: ['test this conversion with objects of your own instead'],
    });
  }
}

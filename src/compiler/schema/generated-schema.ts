import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import type { SchemaPath } from '../../kubernetes/crd/rules/schema/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { SourcePlace } from '../source/index.ts';
import { noDescriptors, type KindDescriptors } from './descriptors/kind-descriptors.ts';
import type { FieldColumn } from './printer-columns.ts';
import type { TagUse } from './reporter.ts';
import type { StandardFields } from './root-schema.ts';
import type { TaggedPath } from './tagged-fields.ts';

/** The schema of one version of a kind. */
export interface GeneratedSchema {
  /** The root schema, `openAPIV3Schema`. Only meaningful without findings. */
  readonly schema: JSONSchemaProps;
  /** Errors in the schema, sorted by place. */
  readonly findings: readonly Finding[];
  /** Advice; the schema is right without it. */
  readonly warnings: readonly Finding[];
  /** Which `@allow` tags had a warning to allow; only who knows all kinds can tell that one is of no use. */
  readonly allows: TagUse;
  /** Descriptors for user interfaces of OLM: no part of the CRD. */
  readonly descriptors: KindDescriptors;
  /** From `@printerColumn` tags, in the order of the fields. */
  readonly printerColumns: readonly FieldColumn[];
  /** From `@selectable` tags, in the order of the fields. */
  readonly selectableFields: readonly TaggedPath[];
  /** From `@scale` tags. */
  readonly scale: {
    readonly spec?: TaggedPath;
    readonly status?: TaggedPath;
    readonly selector?: TaggedPath;
  };
  /**
   * Where a part of the schema comes from: its tag, else the innermost field or type of the project on the way. Only with `places`.
   * @param path from the root, such as `['properties', 'spec', 'maximum']`
   */
  readonly placeOf?: (path: SchemaPath) => SourcePlace;
}

export interface SchemaOptions {
  /** Form of `apiVersion`, `kind` and `metadata` in the schema. Default: all three, none required, the first two with Kubernetes' descriptions. */
  readonly standardFields?: StandardFields;
  /** Keep the descriptions of built-in Kubernetes types. Default: false, for they are many times as large as the schema. */
  readonly embeddedDescriptions?: boolean;
  /** True if the kind has a status subresource, which allows fewer keywords at the root. Default: if the interface has a field `status`. */
  readonly status?: boolean;
  /** Keep what `GeneratedSchema.placeOf` needs, which is many times as much as the schema. Default: false. */
  readonly places?: boolean;
}

/** A kind whose schema could not be generated; the findings say why. */
export const nothingGenerated: Omit<GeneratedSchema, 'findings'> = {
  schema: {},
  warnings: [],
  allows: { used: [], unused: [] },
  descriptors: noDescriptors,
  printerColumns: [],
  selectableFields: [],
  scale: {},
};

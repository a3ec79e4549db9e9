import type { JSONSchemaProps, SchemaPath } from '../../kubernetes/crd/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { SourcePlace } from '../source/index.ts';
import type { KindDescriptors } from './descriptors/kind-descriptors.ts';
import type { FieldColumn } from './printer-columns.ts';
import type { TagUse } from './reporter.ts';
import type { TaggedPath } from './tagged-fields.ts';

/** Empty descriptors, for an interface that could not be read. */
const noDescriptors: KindDescriptors = { spec: [], status: [], tags: { used: [], unused: [] } };

/** The schema of one version of a kind. */
export interface GeneratedSchema {
  /** Root schema, `openAPIV3Schema`. Meaningful only if `findings` is empty. */
  readonly schema: JSONSchemaProps;
  /** Errors in the schema, sorted by place. */
  readonly findings: readonly Finding[];
  /** Advice about the schema, which is valid even if the advice is ignored. */
  readonly warnings: readonly Finding[];
  /**
   * Use of the `@allow` tags by this kind. Only after all kinds have been read is it known that a tag is unused, since another kind may use
   * it.
   */
  readonly allows: TagUse;
  /** Descriptors for the user interfaces of OLM. They are not part of the CRD. */
  readonly descriptors: KindDescriptors;
  /** Columns from the `@printerColumn` tags, in the order of the fields. */
  readonly printerColumns: readonly FieldColumn[];
  /** Paths from the `@selectable` tags, in the order of the fields. */
  readonly selectableFields: readonly TaggedPath[];
  /** Paths from the `@scale` tags. */
  readonly scale: {
    readonly spec?: TaggedPath;
    readonly status?: TaggedPath;
    readonly selector?: TaggedPath;
  };
  /**
   * Returns the place in the sources from which a part of the schema comes: the tag that sets the part, otherwise the innermost field or
   * type of the project on the path. Set only with the option `places`.
   * @param path path from the root, such as `['properties', 'spec', 'maximum']`
   */
  readonly placeOf?: (path: SchemaPath) => SourcePlace;
}

export interface SchemaOptions {
  /**
   * Form of `apiVersion`, `kind` and `metadata` in the schema. Default: all three are listed, none is required, and the first two have
   * Kubernetes' descriptions.
   */
  readonly standardFields?: StandardFields;
  /**
   * Keeps the descriptions of built-in Kubernetes types. Default: false, because the descriptions are many times as large as the schema.
   */
  readonly embeddedDescriptions?: boolean;
  /**
   * True if the kind has a status subresource, which allows fewer keywords at the root. Default: true if the interface has a field
   * `status`.
   */
  readonly status?: boolean;
  /** Keeps the data for `GeneratedSchema.placeOf`, which is many times as large as the schema. Default: false. */
  readonly places?: boolean;
}

/** Result for a kind whose schema could not be generated; the findings give the reasons. */
export const nothingGenerated: Omit<GeneratedSchema, 'findings'> = {
  schema: {},
  warnings: [],
  allows: { used: [], unused: [] },
  descriptors: noDescriptors,
  printerColumns: [],
  selectableFields: [],
  scale: {},
};

/** Schema of one of the fields that every object has. It consists of the field's type and exactly these properties. */
export interface StandardField {
  readonly description?: string;
  /** True if the field is required. Default: false. */
  readonly required?: boolean;
}

/**
 * Schemas of `apiVersion`, `kind` and `metadata`. With `false`, the field is not listed; if undefined, the field is written as Kubernetes'
 * own tools write it.
 */
export interface StandardFields {
  readonly apiVersion?: StandardField | false;
  readonly kind?: StandardField | false;
  readonly metadata?: StandardField | false;
}

// Source: apimachinery `metav1.TypeMeta`.
const lines = {
  apiVersion: [
    'APIVersion defines the versioned schema of this representation of an object.',
    'Servers should convert recognized schemas to the latest internal value, and',
    'may reject unrecognized values.',
    'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources',
  ],
  kind: [
    'Kind is a string value representing the REST resource this object represents.',
    'Servers may infer this from the endpoint the client submits requests to.',
    'Cannot be updated.',
    'In CamelCase.',
    'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
  ],
};

const joinedBy = (separator: string): Required<StandardFields> => ({
  apiVersion: { description: lines.apiVersion.join(separator) },
  kind: { description: lines.kind.join(separator) },
  metadata: {},
});

/** Default schemas of the fields that every object has. */
export const defaultStandardFields = joinedBy(' ');
/** The same schemas as `defaultStandardFields`, but with the line breaks of the Go sources, as controller-gen writes them since v0.14. */
export const wrappedStandardFields = joinedBy('\n');

const names = ['apiVersion', 'kind', 'metadata'] as const;

/** Returns the root schema of a kind: the schema of its interface, together with the fields that every object has. */
export function rootSchema(schema: JSONSchemaProps, fields: StandardFields = {}): JSONSchemaProps {
  const listed = names.flatMap((name) => {
    const field: StandardField | false = fields[name] ?? defaultStandardFields[name];
    return field === false ? [] : [{ name, ...field }];
  });
  const properties = {
    ...Object.fromEntries(
      listed.map(({ name, description }) => [
        name,
        {
          ...(description === undefined ? {} : { description }),
          type: name === 'metadata' ? 'object' : 'string',
        },
      ]),
    ),
    // Fields with the standard names are refused, but a `@k8s` tag may constrain `metadata.name`.
    ...schema.properties,
  };
  const required = listed.filter((field) => field.required === true).map(({ name }) => name as string);
  return {
    ...schema,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0
      ? {}
      : { required: [...new Set([...(schema.required ?? []), ...required])].sort() }),
  };
}

import type { JSONSchemaProps, SchemaPath } from '../../kubernetes/crd/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { SourcePlace } from '../source/index.ts';
import type { KindDescriptors } from './descriptors/kind-descriptors.ts';
import type { FieldColumn } from './printer-columns.ts';
import type { TagUse } from './reporter.ts';
import type { TaggedPath } from './tagged-fields.ts';

/** Empty descriptors, for a kind whose interface could not be read. */
const noDescriptors: KindDescriptors = { spec: [], status: [], tags: { used: [], unused: [] } };

/** The schema of one version of a kind. */
export interface GeneratedSchema {
  /** Root schema, for the field `openAPIV3Schema` of the CRD. Meaningful only if `findings` is empty. */
  readonly schema: JSONSchemaProps;
  /** Errors in the schema, sorted by their place in the sources. */
  readonly findings: readonly Finding[];
  /** Warnings about the schema. The schema is valid even if they are ignored. */
  readonly warnings: readonly Finding[];
  /**
   * The `@allow` tags that this kind uses, and those that it does not use. A tag counts as unused only if no kind uses it, so this is known
   * only after all kinds have been read.
   */
  readonly allows: TagUse;
  /** Descriptors, by which the user interfaces of OLM display the fields. They are not part of the CRD. */
  readonly descriptors: KindDescriptors;
  /** Columns from the `@printerColumn` tags, in the order of the fields. */
  readonly printerColumns: readonly FieldColumn[];
  /** JSON paths of the fields that have a `@selectable` tag, in the order of the fields. */
  readonly selectableFields: readonly TaggedPath[];
  /** JSON paths of the fields that have a `@scale` tag. */
  readonly scale: {
    readonly spec?: TaggedPath;
    readonly status?: TaggedPath;
    readonly selector?: TaggedPath;
  };
  /**
   * Returns the place in the sources from which a part of the schema comes. This is the tag that sets the part. If no tag sets the part, it
   * is the innermost field or type of the project on the path. Set only with the option `places`.
   * @param path path from the root, such as `['properties', 'spec', 'maximum']`
   */
  readonly placeOf?: (path: SchemaPath) => SourcePlace;
}

export interface SchemaOptions {
  /**
   * Form of `apiVersion`, `kind` and `metadata` in the schema. Default: the schema lists all three and requires none of them; `apiVersion`
   * and `kind` have the descriptions that Kubernetes uses.
   */
  readonly standardFields?: StandardFields;
  /**
   * Keeps the descriptions of built-in Kubernetes types. Default: false, because these descriptions are many times as large as the rest of
   * the schema.
   */
  readonly embeddedDescriptions?: boolean;
  /**
   * True if the kind has a status subresource, because fewer keywords are then allowed at the root of the schema. Default: true if the
   * interface has a field `status`.
   */
  readonly status?: boolean;
  /** Keeps the data that `GeneratedSchema.placeOf` needs. The data is many times as large as the schema. Default: false. */
  readonly places?: boolean;
}

/** Result for a kind whose schema could not be generated. The findings, which the caller adds, contain the reasons. */
export const nothingGenerated: Omit<GeneratedSchema, 'findings'> = {
  schema: {},
  warnings: [],
  allows: { used: [], unused: [] },
  descriptors: noDescriptors,
  printerColumns: [],
  selectableFields: [],
  scale: {},
};

/**
 * Schema of a field that every object has. The schema consists of the field's type and of the properties that are set here, and contains
 * nothing else.
 */
export interface StandardField {
  readonly description?: string;
  /** True if the field is required. Default: false. */
  readonly required?: boolean;
}

/**
 * Schemas of `apiVersion`, `kind` and `metadata`. If the value is `false`, the schema does not list the field. If it is undefined, the
 * field has the schema that Kubernetes' own tools write.
 */
export interface StandardFields {
  readonly apiVersion?: StandardField | false;
  readonly kind?: StandardField | false;
  readonly metadata?: StandardField | false;
}

// Descriptions of `apiVersion` and `kind`, by lines. Source: apimachinery `metav1.TypeMeta`.
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
/**
 * Schemas like `defaultStandardFields`, but their descriptions keep the line breaks of the Go sources, as controller-gen writes them since
 * v0.14.
 */
export const wrappedStandardFields = joinedBy('\n');

const names = ['apiVersion', 'kind', 'metadata'] as const;

/** Returns the root schema of a kind. It consists of the schema of the kind's interface and the fields that every object has. */
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
    // Keeps the properties from the interface: a `@k8s` tag may constrain `metadata.name`. Fields with the standard names are refused in
    // other cases.
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

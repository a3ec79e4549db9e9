import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';

/** The schema of one of the fields that every object has: its type and exactly these properties. */
export interface StandardField {
  readonly description?: string;
  /** Default: false. */
  readonly required?: boolean;
}

/** `false`: the field is not listed. Undefined: as Kubernetes' own tools write it. */
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

/** The fields that every object has, as they stand where nothing else is said. */
export const defaultStandardFields = joinedBy(' ');
/** The same with the line breaks of the Go sources, as controller-gen writes them since v0.14. */
export const wrappedStandardFields = joinedBy('\n');

const names = ['apiVersion', 'kind', 'metadata'] as const;

/** The root schema of a kind: the schema of its interface and the fields that every object has. */
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
    // Fields of these names are refused, but a `@k8s` tag may constrain `metadata.name`.
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

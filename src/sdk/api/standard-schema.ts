import type { CustomResource } from './meta.ts';

/**
 * The part that op-sdk needs of a schema of a library such as zod, valibot or arktype: the Standard JSON Schema interface, by its types alone.
 * Source: https://standardschema.dev/json-schema `StandardJSONSchemaV1`.
 */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  /** The interface's one property. */
  readonly '~standard': {
    /** The version of the interface. */
    readonly version: 1;
    /** The library, such as `zod`. */
    readonly vendor: string;
    /** Only for the type checker. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Makes JSON Schema; read when manifests are generated, never in an operator. */
    readonly jsonSchema: {
      /** JSON Schema of the values that the schema takes. */
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/** The objects of a kind whose fields a schema describes, as they are read from the API server: the server has filled in the defaults. */
export type SchemaObject<
  ApiVersion extends string,
  Kind extends string,
  S extends StandardJsonSchema,
> = CustomResource<ApiVersion, Kind> & NonNullable<S['~standard']['types']>['output'];

import { checkSchema, type JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { placeOfSchema, schemaField, type SchemaExport, type SourceProgram } from '../../source/index.ts';
import { kindDescriptors } from '../descriptors/kind-descriptors.ts';
import { type SchemaNode, labelOf } from '../schema-node.ts';
import { blame } from '../final-check.ts';
import {
  nothingGenerated,
  type GeneratedSchema,
  type SchemaOptions,
  rootSchema,
} from '../generated-schema.ts';
import { lintSchema } from '../lints/index.ts';
import { createSchemaReporter, type Reporter } from '../reporter.ts';
import type { Doc, Problem } from '../shape.ts';
import { convertSchema } from './convert-schema.ts';
import type { Loss } from './inside/losses-of-libraries.ts';
import { readLibrarySchema } from './read-library-schemas.ts';

const reserved = ['apiVersion', 'kind', 'metadata'];

/** Generates the CRD schema of a kind that a schema of a library (zod, valibot, arktype) defines. */
export function generateLibrarySchema(
  source: SourceProgram,
  schema: SchemaExport,
  options: SchemaOptions,
): GeneratedSchema {
  const own = createSchemaReporter(source);
  const reporter = libraryReporter(own);
  const docOf = docsOf(source, schema);
  const { json, losses, findings } = readLibrarySchema(source, schema);
  for (const loss of losses) reportLoss(reporter, docOf, loss);
  if (json === undefined) return { ...nothingGenerated, findings: [...findings, ...own.findings] };
  const root = convertSchema(json, reporter, docOf);
  checkKind(reporter, docOf, root);
  const complete = rootSchema(root.schema, options.standardFields);
  if (own.findings.length === 0) {
    const hasStatus = options.status ?? Object.hasOwn(root.schema.properties ?? {}, 'status');
    checkResult(reporter, complete, root, hasStatus);
    lintSchema(root, reporter);
  }
  return {
    ...nothingGenerated,
    schema: complete,
    findings: own.findings,
    warnings: own.warnings,
    descriptors: kindDescriptors(root, reporter),
    ...(options.places === true
      ? {
          placeOf: (path) =>
            own.nearest(undefined, blame(complete, root, path).docTrail) ?? placeOfSchema(source, schema),
        }
      : {}),
  };
}

/**
 * Returns a function that creates the doc of the part at a path. The doc's label is the text of the path, and its place is in the library's
 * schema.
 */
function docsOf(source: SourceProgram, schema: SchemaExport): (path: readonly string[]) => Doc {
  const known = new Map<string, Doc>();
  return (path) => {
    const key = JSON.stringify(path);
    const doc = known.get(key) ?? {
      // The id is negative, because it must differ from the ids of doc comments, which count from 0.
      id: -1 - known.size,
      label: path.length === 0 ? schema.exportName : pathText(path),
      kind: path.length === 0 ? 'declaration' : 'member',
      node: schemaField(source, schema, path),
      tags: [],
      problems: [],
      advice: [],
    };
    known.set(key, doc);
    return doc;
  };
}

/** Returns the text of a path, such as `spec.ports[].name` or `spec.labels{}`. */
function pathText(path: readonly string[]): string {
  return path
    .map((step, index) => (index === 0 || step === '[]' || step === '{}' ? step : `.${step}`))
    .join('');
}

function reportLoss(
  reporter: Pick<Reporter, 'error'>,
  docOf: (path: readonly string[]) => Doc,
  { path, what, fix }: Loss,
): void {
  const docTrail = [docOf([]), ...path.map((_, index) => docOf(path.slice(0, index + 1)))];
  reporter.error(
    { code: 'schema/lost-rule', message: `${labelOf(docTrail)}: ${what}`, fix: [fix] },
    docTrail,
  );
}

/**
 * Checks that the schema describes an object, and that its fields do not include those that every object has (`apiVersion`, `kind` and
 * `metadata`).
 */
function checkKind(
  reporter: Pick<Reporter, 'error'>,
  docOf: (path: readonly string[]) => Doc,
  { schema, origin }: SchemaNode,
): void {
  const fields = Object.keys(schema.properties ?? {});
  const wrong = (message: string, fix: string, path: readonly string[] = []): void => {
    const docTrail = path.length === 0 ? [docOf([])] : [docOf([]), docOf(path)];
    reporter.error(
      { code: 'schema/not-a-resource', message: `${labelOf(docTrail)}: ${message}`, fix: [fix] },
      docTrail,
    );
  };
  if (origin?.isComplete !== false && (schema.type !== 'object' || schema.additionalProperties !== undefined))
    wrong(
      'expected the schema of an object with fields such as spec and status',
      'write z.object({ spec: … })',
    );
  for (const name of fields.filter((field) => reserved.includes(field)))
    wrong(
      `the field ${name} cannot be declared here: every object already has it, with a fixed schema`,
      'leave the field out',
      [name],
    );
}

/**
 * Checks the generated schema as the API server checks it, because its defaults and rules may be invalid, and it may violate the
 * requirements of `x-kubernetes-…` keywords.
 */
function checkResult(
  reporter: Pick<Reporter, 'error'>,
  schema: JSONSchemaProps,
  root: SchemaNode,
  hasStatus: boolean,
): void {
  checkSchema(
    { ...schema },
    {
      path: [],
      hasStatus,
      problem(path, message, owner) {
        const { docTrail } = blame(schema, root, owner ?? path);
        const at = path.at(-1);
        reporter.error(
          {
            code: 'schema/invalid-schema',
            message: `${labelOf(docTrail)}: ${message}${at === undefined ? '' : ` (at ${at})`}`,
            fix: ['correct the schema, or its `.meta(…)`'],
          },
          docTrail,
        );
      },
    },
  );
}

/**
 * Fixes for schemas of libraries, by the code of the problem. They replace the fixes for interfaces, because schemas of libraries have
 * neither tags nor utility types.
 */
const fixes: Readonly<Partial<Record<Problem['code'], readonly string[]>>> = {
  'schema/map-of-objects': [
    "make it a list of objects with the field `name`, and `.meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })`",
  ],
  'schema/unit': [
    'name it after its unit, such as timeoutSeconds',
    "or make it a duration: `z.string().meta({ format: 'duration' })`",
  ],
};

/**
 * Maximum number of errors that are reported for one schema, and also maximum number of warnings. The limit exists because a module may
 * produce a schema with any number of faults.
 */
const mostProblems = 1000;
/** Maximum length of a message, in characters. Longer messages may occur because a message may quote the schema. */
const longestMessage = 2000;

/**
 * Returns a reporter for checks that schemas of interfaces and of libraries share. It limits and adapts the problems for a library's
 * schema.
 */
function libraryReporter(reporter: Reporter): Reporter {
  let [errors, warnings] = [0, 0];
  const adapted = (problem: Problem): Problem => ({
    ...problem,
    message:
      problem.message.length > longestMessage
        ? `${problem.message.slice(0, longestMessage)}…`
        : problem.message,
    fix:
      fixes[problem.code] ??
      problem.fix.map((fix) =>
        fix
          .replace(/`@(?:pattern )?/g, '`')
          .replace('type, doc comment and tags', 'schema and description')
          .replace('no comment', 'no description'),
      ),
  });
  return {
    ...reporter,
    error(problem, docTrail) {
      if ((errors += 1) <= mostProblems) reporter.error(adapted(problem), docTrail);
    },
    warn(problem, docTrail) {
      if ((warnings += 1) <= mostProblems) reporter.warn(adapted(problem), docTrail);
    },
  };
}

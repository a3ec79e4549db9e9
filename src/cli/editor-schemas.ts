import { configurationReader, declaredReader } from '../olm/bundle/index.ts';
import { crdDiffReader, waiversReader } from '../kubernetes/crd/index.ts';
import { casesReader } from '../testing/index.ts';
import { projectReader } from '../project/project/index.ts';
import { jsonMapOf, type JsonMap } from '../base/util/json-map.ts';
import { described, orNull, schemaOf, unchecked, withSchema } from '../base/util/json-reader.ts';
import { documentStyle, type JsonReader } from '../base/util/read-json.ts';

/** In package.json, null is a value. In files of YAML, a field that is null counts as missing. */
const packageStyle = { nullIsMissing: false };

/**
 * Returns the JSON schemas (draft-07) of the files that people edit, by file name in `schemas/`. Editors complete and check these files with
 * them. They follow from the readers of the files, so that what an editor refuses op-sdk refuses too.
 */
export function editorSchemas(): Readonly<Record<string, JsonMap>> {
  return {
    'package.schema.json': packageSchema(),
    'project.schema.json': schema(
      'PROJECT of op-sdk',
      'What op-sdk has scaffolded in the project. op-sdk writes this file; comments and additional keys stay.',
      projectReader,
    ),
    'scorecard.schema.json': schema(
      'Scorecard configuration',
      'Tests that `op-sdk scorecard` runs on the bundle.',
      configurationReader,
    ),
    'crd-cases.schema.json': schema(
      'Cases of op-sdk crd test',
      'Objects, and whether the API server accepts, refuses and completes them.',
      casesReader,
    ),
    'waivers.schema.json': schema(
      'Waivers of op-sdk crd diff',
      'Changes of CustomResourceDefinitions that are accepted until a day, each with its reason.',
      waiversReader,
    ),
  };
}

function schema(title: string, description: string, reader: JsonReader<unknown>): JsonMap {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...schemaOf(described(description, reader), documentStyle),
  };
}

/** Describes only the key of op-sdk: everything else in package.json is npm's. */
function packageSchema(): JsonMap {
  const own = schemaOf(declaredReader, packageStyle);
  const { crdDiff, ...others } = jsonMapOf(own['properties']);
  // Each command reads its own part: the reader of the description leaves the settings of `crd diff` unchecked.
  const settings = { ...jsonMapOf(crdDiff), ...schemaOf(crdDiffReader, packageStyle) };
  const opsdk = withSchema(() => ({ ...own, properties: { ...others, crdDiff: settings } }), unchecked);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'package.json of an operator',
    type: 'object',
    properties: {
      opsdk: schemaOf(
        described('Description of the operator for bundles, and settings of op-sdk.', orNull(opsdk)),
        packageStyle,
      ),
    },
  };
}

import { OpSdkError } from '../../../base/errors/index.ts';
import { ciConfigText } from '../../../project/scaffold/sets/publish.ts';
import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import { editYaml } from '../../../kubernetes/yaml/edit-yaml.ts';
import { parseYaml } from '../../../kubernetes/yaml/index.ts';
import { addToYamlList } from '../../../kubernetes/yaml/splice.ts';
import type { UpdatePolicy } from './check-published.ts';

/** A `ci.yaml`. */
export interface CiConfig extends UpdatePolicy {
  readonly text: string;
}

/**
 * The `ci.yaml` with some reviewers in it. A file that is there keeps everything it says; names that it has already, in any
 * case, are not added.
 *
 * @param file as findings name it
 * @throws OpSdkError `io/yaml-*`, `project/cannot-edit`, `bundle/publish-config`
 */
export async function ciConfig(
  before: string | undefined,
  reviewers: readonly string[],
  file: string,
): Promise<CiConfig> {
  if (before === undefined)
    return { text: await ciConfigText(reviewers), isBySemver: false, isFileBased: false };
  const document = parseYaml(before, file);
  const { value } = document;
  if (!isJsonMap(value) && value !== null)
    throw new OpSdkError({
      code: 'bundle/publish-config',
      message: `${file}: expected a map`,
      where: document.locate([]),
      fix: ['correct the file, or delete it: op-sdk writes a new one'],
    });
  const mode = value?.['updateGraph'];
  if (mode !== undefined && !modes.includes(mode))
    throw new OpSdkError({
      code: 'bundle/publish-config',
      message: `updateGraph: expected ${modes.join(' or ')}, got ${JSON.stringify(mode)}`,
      where: document.locate(['updateGraph']),
      fix: [`write one of ${modes.join(', ')}`],
    });
  const known = new Set(jsonListOf(value?.['reviewers']).map((name) => jsonTextOf(name).toLowerCase()));
  const added = reviewers.filter((name) => !known.has(name.toLowerCase()));
  const byHand = `reviewers:\n${added.map((name) => `- ${name}`).join('\n')}`;
  const text = editYaml(file, byHand, () =>
    added.reduce((edited, name) => addToYamlList(edited, ['reviewers'], name), before),
  );
  return {
    text,
    isBySemver: mode === 'semver-mode',
    isFileBased: jsonMapOf(value?.['fbc'])['enabled'] === true,
  };
}

/** The values that the checks of the catalogue take. Source: operator-pipelines `docs/users/static_checks.md`. */
const modes: readonly unknown[] = ['replaces-mode', 'semver-mode'];

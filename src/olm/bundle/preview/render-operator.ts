import { safeMarkdown } from '../../../base/pages/safe-markdown.ts';
import { renderPreview, type Markup } from '../../../project/scaffold/sets/preview.ts';
import type { CatalogueVersion } from '../publish/catalogue-version.ts';
import { fieldAt, listOf, mapOf, textOf } from '../validate/fields.ts';
import { joinResults } from '../validate/findings/join-results.ts';
import type { BundleObject } from '../validate/types.ts';
import type { BundleVerdict } from '../validate/validate-bundle.ts';
import { accessOf } from './access-words.ts';
import { operatorFacts, operatorTitle } from './operator-facts.ts';
import { renderChannels } from './render-channels.ts';
import { renderFindings } from './render-findings.ts';
import { renderKinds } from './render-kinds.ts';
import { findingsByTopic, type Topic } from './topics.ts';
import { webhooksInWords } from './webhook-words.ts';

/** The body of an operator's page. @param versions of its package, itself among them */
export async function renderOperator(
  verdict: BundleVerdict,
  here: CatalogueVersion | undefined,
  versions: readonly CatalogueVersion[],
): Promise<Markup> {
  const { bundle, dir, results } = verdict;
  const csv = bundle?.csv;
  const about = findingsByTopic(verdict);
  const findings = (topic: Topic): Promise<Markup> => renderFindings(about(topic));
  return renderPreview('bundle.html', {
    ...operatorTitle(bundle, dir),
    ...operatorFacts(csv),
    hasOperator: csv !== undefined,
    hasFindings: results.length > 0,
    verdict: `${verdictInWords(verdict)}; each is shown beside what it is about.`,
    otherFindings: await findings('other'),
    summaryFindings: await findings('summary'),
    descriptionFindings: await findings('description'),
    description: { markup: safeMarkdown(textOf(fieldAt(csv?.value, 'spec', 'description'))) },
    kindsFindings: await findings('kinds'),
    kinds: csv === undefined ? [] : await renderKinds(csv, about),
    required: csv === undefined ? [] : requiredKinds(csv),
    permissionsFindings: await findings('permissions'),
    permissions: await renderPermissions(csv),
    channelsFindings: await findings('channels'),
    channels: here === undefined ? [] : await renderChannels(versions, here),
  });
}

/** `1 error and 2 warnings`. */
export function verdictInWords({ results }: Pick<BundleVerdict, 'results'>): string {
  const findings = joinResults(results);
  const [errors, warnings] = (['error', 'warning'] as const).map((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return `${count} ${level}${count === 1 ? '' : 's'}`;
  });
  return `${errors} and ${warnings}`;
}

async function renderPermissions(csv: BundleObject | undefined): Promise<Markup> {
  const accounts = csv === undefined ? [] : accessOf(csv);
  const webhooks = csv === undefined ? [] : webhooksInWords(csv);
  return renderPreview('permissions.html', {
    webhooks,
    accounts: accounts.map(({ title, rows }) => ({
      title,
      rows: rows.map((row) => ({ ...row, hasNote: row.note !== '' })),
    })),
    isEmpty: accounts.length + webhooks.length === 0,
  });
}

/** The kinds of others that the operator cannot work without. */
function requiredKinds(csv: BundleObject): readonly string[] {
  return listOf(fieldAt(csv.value, 'spec', 'customresourcedefinitions', 'required'))
    .map(mapOf)
    .map(({ name, kind, version }) => `${textOf(kind)} ${textOf(name)}/${textOf(version)}`);
}

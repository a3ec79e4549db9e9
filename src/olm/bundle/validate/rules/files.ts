import type { FindingCollector } from '../findings/collect-findings.ts';
import { ruleModule, type BundleRules, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/missing-folder': {
    validators: { format: 'error' },
    title: 'A folder of a bundle is missing',
    explain:
      'A bundle has the folders manifests and metadata; others must be there if an annotation names them.',
  },
  'bundle/unexpected-file': {
    validators: { format: 'error', opsdk: 'error' },
    title: 'Something in the bundle is not a plain file',
    explain:
      'OLM reads the files of manifests/ and refuses folders and hidden files there. Symbolic links and special files would not be in the image as they appear on disk.',
  },
  'bundle/not-a-manifest': {
    validators: { format: 'error', opsdk: 'error' },
    title: 'A file of the bundle is not a manifest',
    explain:
      'Every file of manifests/ is read as the YAML of one object: text in UTF-8, no larger than the API server accepts, and not empty.',
  },
  'bundle/empty-first-document': {
    validators: { format: 'error' },
    title: 'The first document of a file in the bundle is empty',
    explain:
      'OLM and all tools of operator-framework read the first document of each file. A comment or an empty line above a `---` line counts as that document, so they never see the object below it.',
  },
  'bundle/several-documents': {
    validators: { opsdk: 'warning' },
    title: 'A file of the bundle holds several objects',
    explain: 'A warning. OLM reads the first document of each file and silently loses the others.',
  },
  'bundle/several-csvs': {
    validators: { format: 'error' },
    title: 'The bundle has several ClusterServiceVersions',
    explain: 'A bundle is one version of one operator, so it has exactly one ClusterServiceVersion.',
  },
} as const satisfies BundleRules;

/** Rules that are applied while a bundle is read, before its contents are checked. They have no separate checks. */
export const fileRules = ruleModule<typeof rules, typeof rules>(rules, {});

/** Returns a report with which the validator `format` or `opsdk` adds findings about the files of a bundle. */
export function fileReport<V extends 'format' | 'opsdk'>(
  collector: FindingCollector,
  validator: V,
): Report<typeof rules & SharedRules, V> {
  return collector.of(validator);
}

import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { lineBreakOf } from '../../base/util/line-break.ts';
import { addToYamlList, editYaml, parseYaml, toYaml } from '../../kubernetes/yaml/index.ts';
import { layout } from '../project/index.ts';
import { missingFile, type ReadFile } from '../scaffold/index.ts';

/** Newly generated files, to which the kustomizations must refer. */
interface NewFiles {
  readonly alerts: boolean;
  readonly dashboard: boolean;
}

const defaultFile = layout.kustomization(layout.defaultConfig);
const prometheusFile = layout.kustomization(layout.prometheus);

/** An entry of config/default, with the comment to write above it if the scaffold does not contain the entry. */
interface Section {
  readonly list: 'resources' | 'components';
  readonly item: string;
  readonly comment?: string;
}

const alertSections: readonly Section[] = [
  { list: 'resources', item: '../prometheus' },
  { list: 'components', item: '../metrics' },
];

const dashboardSection: Section = {
  list: 'resources',
  item: '../grafana',
  comment: '# [GRAFANA] The dashboard as a ConfigMap, which the sidecar of Grafana loads.',
};

/**
 * Returns the kustomizations that must refer to new files. With the alerts, the metrics are also served and scraped. Existing files are not
 * entered again, because the user may have removed their entries on purpose.
 * @param read returns the files in their planned state
 * @throws OpSdkError `project/cannot-edit` with the lines to write by hand
 */
export async function wiringOf(
  read: ReadFile,
  { alerts, dashboard }: NewFiles,
): Promise<readonly { readonly path: string; readonly content: string }[]> {
  const sections = [...(alerts ? alertSections : []), ...(dashboard ? [dashboardSection] : [])];
  if (sections.length === 0) return [];
  const defaults = await read(defaultFile);
  if (defaults === undefined) throw missingFile(defaultFile);
  const content = sections.reduce((text, section) => switchedOn(text, section), defaults);
  const edited = [{ path: defaultFile, content }];
  if (!alerts) return edited;
  const prometheus = await read(prometheusFile);
  if (prometheus === undefined) throw missingFile(prometheusFile);
  const entry = { resources: ['rules.yaml'] };
  const listed = editYaml(prometheusFile, toYaml(entry), () =>
    addToYamlList(prometheus, ['resources'], 'rules.yaml'),
  );
  return [...edited, { path: prometheusFile, content: listed }];
}

/** Uncomments the entry of a section, or adds the entry if the commented line is missing. */
function switchedOn(text: string, { list, item, comment }: Section): string {
  const has = (edited: string): boolean =>
    jsonListOf(jsonMapOf(parseYaml(edited, defaultFile).value)[list]).includes(item);
  if (has(text)) return text;
  const line = new RegExp(`^([ \\t]*)#[ \\t]?(- ${item.replaceAll('.', '\\.')}[ \\t]*\\r?)$`, 'm');
  const uncommented = text.replace(line, '$1$2');
  if (has(uncommented)) return uncommented;
  return editYaml(defaultFile, toYaml({ [list]: [item] }), () => {
    const added = addToYamlList(text, [list], item);
    if (comment === undefined) return added;
    const eol = lineBreakOf(added);
    const commented = added.replace(
      new RegExp(`^([ \\t]*)(- ${item.replaceAll('.', '\\.')})$`, 'm'),
      (_all, indent: string, entry: string) => `${indent}${comment}${eol}${indent}${entry}`,
    );
    return has(commented) ? commented : added;
  });
}

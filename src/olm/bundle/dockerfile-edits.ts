import type { Finding } from '../../base/errors/index.ts';
import { bundleDockerfile, bundleFolders, isBundleKey } from './metadata.ts';
import { dockerfileLabels } from './validate/dockerfile-labels.ts';

/** The instructions that op-sdk writes into a Dockerfile; labels are looked at one by one. */
const ownInstruction = new RegExp(
  `^(?:FROM scratch|LABEL .*|COPY \\S+ /(?:${Object.values(bundleFolders).join('|')}))\\s*$`,
);

/**
 * Finds what somebody wrote into a bundle's Dockerfile and the new text lacks, one warning for each: labels that no annotation
 * says, and other instructions than those of op-sdk.
 */
export function lostDockerfileLines(before: string, after: string): readonly Finding[] {
  const kept = new Set(dockerfileLabels(after).map(({ key }) => key));
  const labels = dockerfileLabels(before)
    .filter(({ key }) => !isBundleKey(key) && !kept.has(key))
    .map(({ key, line }) =>
      lost(line, `the label ${key}`, `write ${key} into metadata/annotations.yaml: labels are made from it`),
    );
  const keptLines = new Set(after.split('\n').map((text) => text.trim()));
  const lines = before.split('\n').map((raw) => raw.trim());
  const others = lines.flatMap((text, index) => {
    // A continued line is reported with its first line.
    if (lines[index - 1]?.endsWith('\\') === true) return [];
    if (text === '' || text.startsWith('#') || keptLines.has(text) || ownInstruction.test(text)) return [];
    const fix = `put your own template into .op-sdk/templates/bundle/${bundleDockerfile}.hbs`;
    return [lost(index + 1, JSON.stringify(text), fix)];
  });
  return [...labels, ...others].sort((a, b) => a.where.line - b.where.line);
}

function lost(
  line: number,
  what: string,
  fix: string,
): Finding & { readonly where: { readonly file: string; readonly line: number } } {
  return {
    code: 'bundle/dockerfile-edited',
    message: `${what} is not written by op-sdk, and was lost when it overwrote the Dockerfile`,
    where: { file: bundleDockerfile, line },
    fix: [fix, 'or keep the file as it is with --overwrite=false'],
  };
}

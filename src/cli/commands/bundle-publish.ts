import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { resolve } from 'node:path';
import { planPublish } from '../../olm/bundle/index.ts';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { resolvePlace } from '../../images/index.ts';
import { planAndCarryOut } from '../actions/files/apply-plan.ts';
import { outputPlace } from '../actions/files/output-place.ts';
import { invalidFlag, missingFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  arguments: [['[bundle]', 'the folder of the bundle (default: bundle)']],
  flags: {
    'output-dir': flag.text('folder', 'a checkout of your fork of k8s-operatorhub/community-operators'),
    reviewer: flag.list('name', 'a name on GitHub to add to the reviewers in ci.yaml; may be repeated', {
      default: [],
    }),
    ...dryRunFlag,
  },
  help: `
Copies the bundle to operators/<package>/<version>/ and writes operators/<package>/ci.yaml, or adds
reviewers to it; the rest of ci.yaml stays as it is. Before that it runs the checks that pull
requests of the catalogue have to pass: all default validators, those of suite=operatorframework,
and the fields that OperatorHub.io needs. Nothing is written if one of them finds an error, or if
the version is there with other content. A second run changes nothing.`,
  async run(context, parsed, [folder = 'bundle']) {
    const { outputDir = '', reviewer, dryRun } = parsed;
    const { cwd } = context;
    const findings = new FindingList();
    const invalid = reviewer.filter((name) => !isGitHubName(name));
    for (const name of invalid)
      findings.add(
        invalidFlag(
          '--reviewer',
          `--reviewer: expected a name on GitHub, got ${JSON.stringify(name)}`,
          'write letters, digits and single hyphens',
        ),
      );
    findings.throwIfAny();
    if (outputDir === '')
      throw new OpSdkError(
        missingFlag(
          '--output-dir',
          '--output-dir is missing',
          'name the folder into which you have cloned your fork of k8s-operatorhub/community-operators',
        ),
      );
    let warnings: readonly Finding[] = [];
    const result = await planAndCarryOut(context, resolve(cwd, outputDir), { dryRun }, async () => {
      const publication = await planPublish({
        cwd,
        bundle: resolvePlace(cwd, folder),
        catalogue: outputPlace(cwd, outputDir),
        reviewers: reviewer.filter(
          (name, index) =>
            reviewer.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === index,
        ),
      });
      warnings = publication.warnings;
      return publication.plan;
    });
    return { result, warnings };
  },
});

function isGitHubName(name: string): boolean {
  return /^[a-z\d](?:-?[a-z\d]){0,38}$/i.test(name);
}

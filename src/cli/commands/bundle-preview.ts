import { defineCommand, type CliContext } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { selectOptionalFlag } from '../flags/olm-flags.ts';
import { resolve, dirname, extname, join } from 'node:path';
import {
  planPreview,
  previewSite,
  bundleDockerfile,
  type PreviewSite,
  type ValidatorName,
  validateBundle,
  type BundleVerdict,
} from '../../olm/bundle/index.ts';
import { OpSdkError, isOpSdkError, formatFindings, FindingList } from '../../base/errors/index.ts';
import { PageServer, type EventStream, type PageAnswer } from '../../base/pages/index.ts';
import { observe, type Observations, lookBelow } from '../../base/util/observe-files.ts';
import { nextChange } from '../../base/util/watch-observed.ts';
import type { Reporter } from '../ui/reporter.ts';
import { planAndCarryOut } from '../actions/files/apply-plan.ts';
import { outputPlace } from '../actions/files/output-place.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';
import { readSelection } from '../actions/validate/open-bundle.ts';

export const command = defineCommand({
  arguments: [['[bundle...]', 'folders of bundles (default: bundle)']],
  flags: {
    'output-dir': flag.text('folder', 'write the pages as files into this folder, and serve nothing'),
    ...selectOptionalFlag,
    ...dryRunFlag,
  },
  help: `
Shows bundles as OperatorHub does: icon, capability level, description, links, maintainers, kinds
with their fields and samples, what the operator may do, channels and their updates, and the
findings of bundle validate beside what they are about. Several bundles get a page with all of
them, which shows how their versions update one another.

The pages are served on 127.0.0.1, at an address that holds a secret, until the command is ended.
They reload when a bundle changes, and load nothing from elsewhere: pictures in descriptions are
links, HTML is reduced to text, headings, lists, tables and links.

With --output-dir the pages are files without scripts, for the site of a project. Files of an
earlier preview are replaced; others are never overwritten. --dry-run is for --output-dir.`,
  async run(context, parsed, folders) {
    const { outputDir, selectOptional, dryRun } = parsed;
    const optional = readSelection(selectOptional);
    const dirs = folders.length === 0 ? ['bundle'] : folders;
    if (outputDir === '')
      throw new OpSdkError(
        invalidFlag('--output-dir', '--output-dir: expected a folder, got ""', 'name a folder'),
      );
    if (outputDir !== undefined) {
      const site = await previewSite(await judgeAll(context.cwd, dirs, optional), false);
      const folder = resolve(context.cwd, outputDir);
      const plan = () => planPreview(site, outputPlace(context.cwd, outputDir));
      return { result: await planAndCarryOut(context, folder, { dryRun }, plan) };
    }
    if (dryRun)
      throw new OpSdkError(
        invalidFlag('--dry-run', '--dry-run needs --output-dir, which is missing', 'add --output-dir'),
      );
    return { result: await servePreview(context, dirs, optional) };
  },
});

/**
 * Validates bundles one after the other, because all versions of an operator together may need a few hundred megabytes of memory.
 * @param optional validators that run in addition to the default ones
 * @throws OpSdkError `bundle/not-a-folder`, with a finding for each argument that is not a folder
 */
export async function judgeAll(
  cwd: string,
  dirs: readonly string[],
  optional: readonly ValidatorName[] = [],
): Promise<readonly BundleVerdict[]> {
  const findings = new FindingList();
  const verdicts: BundleVerdict[] = [];
  for (const dir of dirs) {
    const verdict = await findings.gather(() => validateBundle(dir, { cwd, optional }));
    if (verdict !== undefined) verdicts.push(verdict);
  }
  findings.throwIfAny();
  return verdicts;
}

/**
 * Serves the preview of bundles, and rebuilds the preview after each change of the bundles, until the command is ended.
 * @throws OpSdkError `bundle/not-a-folder` at the start; after later errors the last good pages are still served
 */
export async function servePreview(
  context: Pick<CliContext, 'cwd' | 'report' | 'signal'>,
  dirs: readonly string[],
  optional: readonly ValidatorName[] = [],
): Promise<{ readonly url: string; readonly changes: number }> {
  const { cwd, report, signal } = context;
  let seen = lookAt(cwd, dirs);
  const make = async (): Promise<PreviewSite> => previewSite(await judgeAll(cwd, dirs, optional), true);
  let site = await make();
  let changes = 0;
  const pages = new Set<EventStream>();
  const server = await PageServer.open({
    answer: ({ path }) =>
      path === 'stream' ? { stream: (page) => follow(pages, page, site.state) } : fileOf(site, path),
  });
  try {
    report.step(`the page is at ${server.url}`);
    while (await hasChanged(seen, signal)) {
      seen = lookAt(cwd, dirs);
      const next = await makeAgain(report, make);
      if (next === undefined || next.state === site.state) continue;
      site = next;
      changes += 1;
      report.step('the bundle has changed');
      for (const page of pages) page.send(site.state);
    }
    return { url: server.url, changes };
  } finally {
    await server.close();
  }
}

/** Returns the observed state of everything that `bundle validate` reads; undefined if a file changed while it was read. */
function lookAt(cwd: string, dirs: readonly string[]): Observations | undefined {
  const looks = observe();
  for (const dir of dirs.map((each) => resolve(cwd, each))) {
    for (const part of ['manifests', 'metadata', 'tests']) lookBelow(looks.view, join(dir, part));
    for (const folder of [dir, dirname(dir)]) looks.view.readFile(join(folder, bundleDockerfile));
  }
  return looks.observations();
}

async function hasChanged(seen: Observations | undefined, signal: AbortSignal): Promise<boolean> {
  return seen === undefined ? !signal.aborted : nextChange(seen, signal);
}

/**
 * Builds the preview again. Errors are reported only as warnings, because the folder of a bundle that is being replaced may be missing for
 * a moment.
 */
async function makeAgain(
  report: Reporter,
  make: () => Promise<PreviewSite>,
): Promise<PreviewSite | undefined> {
  try {
    return await make();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    report.warned(formatFindings(error.findings));
    return undefined;
  }
}

/** Adds a browser page to the listeners and sends it the current state, so that a page which missed a change reloads. */
function follow(pages: Set<EventStream>, page: EventStream, state: string): () => void {
  pages.add(page);
  page.send(state);
  return () => pages.delete(page);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

function fileOf({ files }: PreviewSite, path: string): PageAnswer | undefined {
  const name = path === '' ? 'index.html' : path;
  const body = files.get(name);
  const type = types[extname(name)];
  return body === undefined || type === undefined ? undefined : { type, body };
}

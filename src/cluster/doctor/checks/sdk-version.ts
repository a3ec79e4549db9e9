import { readFileOf, shownCommand } from '../../../project/project/index.ts';
import { compareVersions } from '../compare-versions.ts';
import { defineCheck, ok, skipped, warning } from '../check.ts';

/** Checks that the op-sdk that runs is the one that the project depends on, and no older than the one that made the project. */
export const sdkVersion = defineCheck({
  name: 'op-sdk',
  needs: ['project'],
  async run({ project: { root, cliVersion } }, { env, sdkVersion: running }) {
    const text = await readFileOf(root, 'node_modules/opsdk/package.json');
    const installed = text === undefined ? undefined : versionIn(text);
    if (installed === undefined)
      return skipped(`op-sdk ${running} runs; the version of the project is unknown until it is installed`);
    if (installed !== running) {
      const message = `op-sdk ${running} runs, but the project has ${installed}`;
      return warning(
        'cluster/other-op-sdk',
        message,
        `call the one of the project: ${shownCommand('op-sdk doctor', root, env)}`,
      );
    }
    if (cliVersion !== undefined && compareVersions(installed, cliVersion) < 0) {
      const message = `the project was created with op-sdk ${cliVersion}, but has the older ${installed}`;
      return warning('cluster/other-op-sdk', message, `npm install opsdk@^${cliVersion}`);
    }
    return ok(`op-sdk ${running}, which the project has too`);
  },
});

function versionIn(packageJson: string): string | undefined {
  try {
    const { version } = JSON.parse(packageJson) as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

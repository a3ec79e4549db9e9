import { compareVersions } from '../compare-versions.ts';
import { defineCheck, ok, warning } from '../check.ts';

/** The Kubernetes versions that op-sdk is made for. */
const [oldest, newest] = ['1.32', '1.36'];

/** Checks that the API server has a version that op-sdk is made for. */
export const serverVersion = defineCheck({
  name: 'server-version',
  needs: ['cluster'],
  run({ cluster: { gitVersion } }) {
    const minor = /^v?\d+\.\d+/.exec(gitVersion)?.[0] ?? gitVersion;
    const range = `op-sdk is made for Kubernetes ${oldest} to ${newest}`;
    if (compareVersions(minor, oldest) < 0)
      return warning(
        'cluster/server-version',
        `Kubernetes ${gitVersion} is too old: ${range}`,
        'upgrade the cluster',
      );
    if (compareVersions(minor, newest) > 0)
      return warning(
        'cluster/server-version',
        `Kubernetes ${gitVersion} is too new: ${range}`,
        'upgrade op-sdk',
      );
    return ok(`Kubernetes ${gitVersion}`);
  },
});

import { reachOf } from '../../../sdk/net/index.ts';
import { defineCheck, ok, skipped, warning } from '../check.ts';
import { deploymentsOf, imagesOf, isDefaultImage } from '../operator-deployment.ts';

/** Checks that there are credentials to push the operator's image with. */
export const registry = defineCheck({
  name: 'registry',
  needs: ['project', 'objects'],
  async run({ objects }, world) {
    const [name] = deploymentsOf(objects)
      .flatMap(imagesOf)
      .filter((image) => !isDefaultImage(image));
    if (name === undefined) return skipped('the image of the operator names no registry yet');
    const { registry: host, hasCredentials } = await world.registryOf(name);
    if (hasCredentials) return ok(`there are credentials for ${host}`);
    const asks = await world.asksForCredentials(host);
    // Many serve reads to everybody, and writes only to users.
    if (asks === false) return ok(`${host} answers without credentials; a push may still need them`);
    // Those of kind, k3d and minikube, and others beside the cluster, ask nobody who they are.
    if (asks === undefined && isLocal(host))
      return ok(`there are no credentials for ${host}, and a local registry rarely asks for any`);
    return warning(
      'cluster/no-registry-credentials',
      `there are no credentials for ${host}: the image of the operator can be pushed only if it takes anonymous pushes`,
      `docker login ${host}, podman login ${host}, or write them into ~/.docker/config.json`,
    );
  },
});

/** By its address, or the name localhost: other names may lead anywhere. */
function isLocal(registry: string): boolean {
  const reach = reachOf(registry.replace(/:\d+$/, ''));
  return reach !== undefined && reach !== 'public';
}

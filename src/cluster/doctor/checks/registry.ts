import { defineCheck, ok, skipped, warning } from '../check.ts';
import { deploymentsOf, imagesOf, isDefaultImage } from '../operator-deployment.ts';

/** Whether there are credentials to push the operator's image with. */
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
    // Those of kind, k3d and minikube, and others beside the cluster, ask nobody who they are.
    if (isLocal(host))
      return ok(`there are no credentials for ${host}, and a local registry rarely asks for any`);
    if ((await world.asksForCredentials(host)) === false)
      return ok(`there are no credentials for ${host}, and it asks for none`);
    return warning(
      'cluster/no-registry-credentials',
      `there are no credentials for ${host}: the image of the operator can be pushed only if it takes anonymous pushes`,
      `docker login ${host}, podman login ${host}, or write them into ~/.docker/config.json`,
    );
  },
});

/** `localhost:5000`, `127.0.0.1`, `registry:5000`, `registry.local`: names that mean nothing outside of a network. */
function isLocal(registry: string): boolean {
  const host = registry.replace(/:\d+$/, '');
  return (
    /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[)/.test(host) ||
    /\.(?:local|localhost|internal|test|svc)$/.test(host) ||
    !host.includes('.')
  );
}

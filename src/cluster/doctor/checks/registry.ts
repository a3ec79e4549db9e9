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
    return warning(
      'cluster/no-registry-credentials',
      `there are no credentials for ${host}, where the image of the operator is to be pushed`,
      `docker login ${host}, podman login ${host}, or write them into ~/.docker/config.json`,
    );
  },
});

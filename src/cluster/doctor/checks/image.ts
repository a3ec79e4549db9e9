import { defineCheck, ok, skipped, warning } from '../check.ts';
import { deploymentsOf, imagesOf, isDefaultImage } from '../operator-deployment.ts';

/** Checks that the operator's image has a name that a cluster can pull. */
export const image = defineCheck({
  name: 'image',
  needs: ['project', 'objects'],
  run({ objects }) {
    const images = deploymentsOf(objects).flatMap(imagesOf);
    if (images.length === 0) return skipped('config/default has no Deployment');
    const unnamed = images.find(isDefaultImage);
    if (unnamed === undefined) return ok(images.join(', '));
    return warning(
      'cluster/default-image',
      `the image of the operator is still ${unnamed}, which is in no registry`,
      'make docker-build docker-push deploy IMG=<registry>/<name>:<tag>',
    );
  },
});

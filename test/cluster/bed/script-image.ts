import { busyboxFiles, pushLayerImage } from './layer-image.ts';

export interface ScriptImageOptions {
  /** The whole name, such as `${cluster.registry}/team/crash:v1`. */
  readonly reference: string;
  /** What the image runs, in busybox's shell; arguments of the container are its `"$@"`. */
  readonly script: string;
  /** More files by their paths, such as `bundle/manifests/csv.yaml`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Pushes an image with busybox whose entrypoint is a shell script. It runs as a user without rights, as restricted namespaces demand. */
export async function pushScriptImage(options: ScriptImageOptions): Promise<void> {
  const { reference, script, files = {}, labels } = options;
  await pushLayerImage({
    reference,
    files: [
      ...busyboxFiles(),
      { path: 'entrypoint', content: Buffer.from(`#!/bin/sh\n${script}\n`), mode: 0o755 },
      ...Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) })),
    ],
    config: {
      User: '65532:65532',
      Env: ['PATH=/bin'],
      Entrypoint: ['/entrypoint'],
      ...(labels === undefined ? {} : { Labels: labels }),
    },
  });
}

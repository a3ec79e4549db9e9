import { Option, type Command } from 'commander';
import type { ImageFormat } from '../../images/index.ts';
import { dryRunFlag } from './common.ts';

/** Options that {@link outputFlags} parses. */
export interface OutputOptions {
  readonly tag?: string;
  readonly to?: string;
  readonly format?: ImageFormat;
  readonly dryRun?: boolean;
}

/** Declares the flags of a command that makes an image: its name, its form and where it goes. */
export function outputFlags(command: Command): Command {
  command.option('-t, --tag <reference>', 'the name of the image: registry.example.com/team/name:v0.1.0');
  command.option(
    '--to <place>',
    'oci:DIR, oci-archive:FILE or docker-archive:FILE (default: dist/images, which push reads)',
  );
  command.addOption(
    new Option('--format <format>', 'the format of the image (default: oci)').choices(['oci', 'docker']),
  );
  return dryRunFlag(command);
}

import type { ExplainedCodes } from '../../base/errors/index.ts';

export const scaffoldCodes = {
  'scaffold/file-exists': {
    title: 'A file to be created exists already',
    explain:
      'Scaffolding never overwrites a file that it did not create in the same run. Move the file away, or overwrite it with --force, which shows what changes.',
  },
  'scaffold/file-changed': {
    title: 'A file changed while the command ran',
    explain:
      'The command read the file, planned a change, and found it different when it was about to write. Nothing was written. Run the command again.',
  },
  'scaffold/file-edited': {
    title: 'A file to be deleted was edited',
    explain:
      'The file is not as op-sdk scaffolded it, so deleting it would lose work. Keep what you need of it, and run the command again with --force.',
  },
  'scaffold/not-utf8': {
    title: 'A file to change is not text in UTF-8',
    explain:
      'The command changes a part of the file, which is in another encoding, such as Latin-1 or UTF-16. Its other characters would be lost. Nothing was written. Save the file in UTF-8 and run the command again.',
  },
  'scaffold/linked-file': {
    title: 'A file to delete is a symbolic link',
    explain:
      'The command would delete a file of the project, and its path is a link to another file, which nothing has scaffolded. Neither is deleted.',
  },
  'scaffold/outside-project': {
    title: 'A path leads out of the project',
    explain:
      'A symbolic link on the way to the file leads out of the project folder. op-sdk writes inside the project only.',
  },
  'scaffold/marker-missing': {
    title: 'A scaffold marker is missing',
    explain:
      'op-sdk adds code to existing files above comments such as `// +op-sdk:scaffold:imports`. Put the marker back, or add the lines of the message by hand.',
  },
  'scaffold/unknown-template': {
    title: 'A template override has no counterpart',
    explain:
      'A file under .op-sdk/templates replaces the template of the same path. No template has this path, so the file would never be used.',
  },
  'scaffold/bad-template': {
    title: 'A template cannot be rendered',
    explain:
      'A template override is not valid Handlebars, names a variable that does not exist, or writes a value without the helper that escapes it there.',
  },
  'scaffold/rollback-failed': {
    title: 'A failed command could not be undone completely',
    explain:
      'Writing failed midway and so did putting a file back. The message names the files; the copies beside them hold the former content.',
  },
  'scaffold/interrupted-write': {
    title: 'A command was interrupted while it wrote',
    explain:
      'A command was killed between two files. Every file is complete, old or new, and the next command that writes finishes or undoes the rest. A file that was edited since is kept: the message names it, and the copy beside it with what was to be written. `--check`, `--dry-run` and `--stdout` change nothing and say that there is something to finish.',
  },
  'scaffold/project-locked': {
    title: 'Another process holds the lock of the project',
    explain:
      'Commands that write into a project wait for each other. The lock of a process that has ended is broken at once, but this one belongs to another machine or container that shares the folder, and has not renewed it for a minute. If nothing runs there, delete the file that the message names.',
  },
  'scaffold/install-failed': {
    title: 'Installing the dependencies failed',
    explain:
      'The files of the project are written and complete; only the package manager failed. Fix the cause and run its install command.',
  },
  'scaffold/pack-failed': {
    title: 'op-sdk could not pack itself',
    explain:
      'A prerelease of op-sdk, which may be in no registry, packs itself into the new project; where it runs from a checkout, with `npm pack`. Give the dependency explicitly with --opsdk, or install npm.',
  },
} satisfies ExplainedCodes;

import { shells } from '../flags/words.ts';
import { defineCommand } from '../command.ts';
import { shellScript } from '../completion/shell-script.ts';

export const command = defineCommand({
  arguments: [['<shell>', 'the shell that runs the script', shells]],
  help: `
Completes commands, flags and their values, among them the groups, versions and kinds of the project. The script calls
op-sdk, which must be on the PATH. To load it in every new shell:

  bash         echo 'source <(op-sdk completion bash)' >> ~/.bashrc
  zsh          echo 'source <(op-sdk completion zsh)' >> ~/.zshrc
  fish         op-sdk completion fish > ~/.config/fish/completions/op-sdk.fish
  powershell   op-sdk completion powershell >> $PROFILE`,
  run(_context, _options, [shell]) {
    const text = shellScript(shell);
    return Promise.resolve({ result: { shell, script: text }, text });
  },
});

/** `bursar completion bash|zsh|fish`: a script for the shell, made from the commands themselves. */
import { Argument, Command } from 'commander';
import { printText } from './terminal.ts';

type Words = Readonly<Record<string, { readonly help: string; readonly verbs: readonly string[] }>>;

/** `commands`: all commands, loaded for their verbs. */
export function completionCommand(commands: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description('completion for your shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', '\nExample:\n  source <(bursar completion bash)')
    .action(async (shell: string) => {
      const entries = (await commands()).map((each) => [
        each.name(),
        { help: each.description(), verbs: each.commands.map((verb) => verb.name()) },
      ]);
      printText(`${SCRIPTS[shell]?.(Object.fromEntries(entries) as Words) ?? ''}\n`);
    });
}

function bash(words: Words): string {
  const cases = Object.entries(words)
    .filter(([, { verbs }]) => verbs.length > 0)
    .map(([name, { verbs }]) => `    ${name}) words="${verbs.join(' ')}" ;;`);
  return `_bursar() {
  local words=""
  if [[ $COMP_CWORD -eq 1 ]]; then words="${Object.keys(words).join(' ')}"
  elif [[ $COMP_CWORD -eq 2 ]]; then case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bursar bursar`;
}

const zsh = (words: Words): string => `#compdef bursar\nautoload -U +X bashcompinit && bashcompinit\n${bash(words)}`;

function fish(words: Words): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  return Object.entries(words)
    .flatMap(([name, { help, verbs }]) => [
      `complete -c bursar -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`,
      ...(verbs.length > 0
        ? [`complete -c bursar -n '__fish_seen_subcommand_from ${name}' -a ${quoted(verbs.join(' '))}`]
        : []),
    ])
    .join('\n');
}

const SCRIPTS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

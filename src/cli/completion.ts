import type { Command, Option } from 'commander';

/** Shells that completion can be printed for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The possible words and options after the program's name and these commands. */
interface CommandLevel {
  readonly path: readonly string[];
  /** Commands, or values of an argument, each with a description. */
  readonly words: readonly (readonly [word: string, does: string])[];
  readonly options: readonly Option[];
}

/**
 * The script that makes a shell complete the commands and options of a program, and files elsewhere. It contains all
 * names, so that the program need not run for it.
 */
export function describeCompletion(program: Command, shell: Shell): string {
  const places = placesIn(program, []);
  const name = program.name();
  if (shell === 'fish') return fishScript(name, places);
  const script = bashScript(name, places);
  // zsh uses the script for bash.
  return shell === 'zsh'
    ? `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${script}`
    : script;
}

function placesIn(command: Command, path: readonly string[]): readonly CommandLevel[] {
  const help = command.createHelp();
  const words = help
    .visibleCommands(command)
    .map((subcommand) => [subcommand.name(), subcommand.description()] as const);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) =>
    argChoices.map((choice) => [choice, ''] as const),
  );
  const ownPlace = { path, words: [...words, ...choices], options: help.visibleOptions(command) };
  return [ownPlace, ...command.commands.flatMap((subcommand) => placesIn(subcommand, [...path, subcommand.name()]))];
}

const nameOf = ({ path }: CommandLevel): string => path.map((word) => `/${word}`).join('');
const flags = (options: readonly Option[]): string => options.map(({ long }) => long ?? '').join(' ');

function bashScript(name: string, places: readonly CommandLevel[]): string {
  const functionName = `_${name.replaceAll('-', '_')}`;
  const names = places.slice(1).map(nameOf).join('|');
  const cases = places.map((level) => {
    const words = level.words.map(([word]) => word).join(' ');
    return `    '${nameOf(level)}') list='${words}' options='${flags(level.options)}' ;;`;
  });
  return `${functionName}() {
  local place='' list='' options='' index=1
  local current="\${COMP_WORDS[COMP_CWORD]}"
  while [ "$index" -lt "$COMP_CWORD" ]; do
    case "$place/\${COMP_WORDS[index]}" in
      ${names}) place="$place/\${COMP_WORDS[index]}" ;;
    esac
    index=$((index + 1))
  done
  case "$place" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$list" -- "$current")) ;;
  esac
}
complete -o default -F ${functionName} ${name}
`;
}

function fishScript(name: string, places: readonly CommandLevel[]): string {
  const lines = places.flatMap(({ path, words, options }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const none = words.length > 0 ? [`not __fish_seen_subcommand_from ${words.map(([word]) => word).join(' ')}`] : [];
    const line = (conditions: readonly string[], rest: string, description: string): string => {
      const condition = conditions.length > 0 ? ` -n ${quote(conditions.join('; and '))}` : '';
      return `complete -c ${name}${condition} ${rest} -d ${quote(description)}`;
    };
    return [
      ...words.map(([word, description]) => line([...seen, ...none], `-f -a ${word}`, description)),
      ...options.map((option) => {
        const argument = option.required || option.optional ? ' -r' : '';
        return line([...seen, ...none], `-l ${option.long?.replace(/^--/, '') ?? ''}${argument}`, option.description);
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** As fish reads it: nothing in it is expanded. */
const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

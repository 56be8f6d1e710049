package dev.spur.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code spur completion SHELL}. */
@Command(
        name = "completion",
        description = "Print the completion script of a shell. Load it with: source <(./spur completion bash)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {
    /** A supported shell; the script of picocli serves both. */
    enum Shell {
        bash,
        zsh
    }

    /** Completion of names, which come from the service, after that of commands and options. */
    private static final String NAMES = """

            # Prints the kind of the names that stand at the current position; nothing for other words.
            function _spur_kind_of_names() {
              case "${COMP_WORDS[COMP_CWORD-1]}" in
                --pool) echo pools; return ;;
                --tenant) echo tenants; return ;;
                --type) echo types; return ;;
                --like|--remove-node|--node) echo nodes; return ;;
                --remove-job) echo jobs; return ;;
                -o|--output|--service|--timeout|--lines|--rank|--generation|--state) return ;;
              esac
              case "${COMP_WORDS[1]}" in
                cancel|change|hold|release|wait) echo jobs ;;
                priority) [[ $COMP_CWORD -gt 2 ]] || echo jobs ;;
                describe|why|logs|events) echo explained ;;
                retry) echo ended ;;
                drain|cordon|activate) echo nodes ;;
                what-if) [[ "${COMP_WORDS[COMP_CWORD-1]}" != --drain ]] || echo nodes ;;
              esac
            }

            # Completes commands and options, or names of jobs, nodes, pools, tenants and types of the service.
            function _complete_spur_names() {
              local current="${COMP_WORDS[COMP_CWORD]}" kind=""
              [[ "$current" == -* || $COMP_CWORD -lt 2 ]] || kind=$(_spur_kind_of_names)
              if [[ -z "$kind" ]]; then
                _complete_spur "$@"
                return
              fi
              COMPREPLY=( $(compgen -W "$("${COMP_WORDS[0]}" candidates "$kind" 2>/dev/null)" -- "$current") )
            }
            complete -F _complete_spur_names -o default spur spur.sh spur.bash
            """;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.bash;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine program = spec.root().commandLine();
        program.getOut().println("# Completion of %s.".formatted(shell));
        program.getOut().print(AutoComplete.bash(program.getCommandName(), program));
        program.getOut().print(NAMES);
        program.getOut().flush();
    }
}

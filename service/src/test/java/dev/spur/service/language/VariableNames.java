package dev.spur.service.language;

import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WildcardTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compares the names of fields and parameters with the names of their types, for types of this project.
 *
 * <p>A variable is named after its type if both names have a word in common. Words are the camel-case parts of the last
 * part of the type name, without a plural ending. The type of an array, a collection, an optional or a map is that of
 * its elements or values. Constants have no name of this kind, and names such as {@code value} are none.
 *
 * <p>{@code java VariableNames.java ROOT MODULE...} prints a table.
 */
final class VariableNames {
    private static final Set<String> GENERIC = Set.of("value", "other", "left", "right");
    private static final Pattern CONTAINER = Pattern.compile(
            "\\w*(?:List|Set|Map|Queue|Deque|Collection|Optional|Iterable|Iterator|Stream|AtomicReference|CompletableFuture|Future)");
    private static final Pattern TYPE_DECLARATION =
            Pattern.compile("(?m)^[ \\w@()\"-]*?\\b(?:class|interface|record|enum) ([A-Z]\\w*)");
    private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z0-9_]*");

    private VariableNames() {}

    enum Kind {
        FIELD,
        PARAMETER,
        CATCH
    }

    /**
     * A field, a parameter or a catch parameter whose type is one of the project, or any type for catch parameters.
     *
     * @param place path from the root, and line
     */
    record Variable(String module, Kind kind, String type, String name, String place) {
        boolean isNamedAfterType() {
            return !GENERIC.contains(name) && wordsOf(name).stream().anyMatch(wordsOf(type)::contains);
        }

        @Override
        public String toString() {
            return "%s %s (%s)".formatted(type, name, place);
        }
    }

    /** Prints the share of names that differ from their types, in percent, by module. */
    public static void main(String... arguments) throws IOException {
        List<String> modules = Arrays.asList(arguments).subList(1, arguments.length);
        List<Variable> variables = of(Path.of(arguments[0]), modules);
        System.out.printf("%-20s %8s %6s %12s %6s%n", "module", "fields", "%", "parameters", "%");
        for (String module : modules) {
            List<Variable> fields = select(variables, module, Kind.FIELD);
            List<Variable> parameters = select(variables, module, Kind.PARAMETER);
            System.out.printf(
                    "%-20s %8d %6.1f %12d %6.1f%n",
                    module,
                    fields.size(),
                    100 * differingShare(fields),
                    parameters.size(),
                    100 * differingShare(parameters));
        }
    }

    /** Returns the variables of one kind in one module. */
    static List<Variable> select(List<Variable> variables, String module, Kind kind) {
        return variables.stream()
                .filter(variable -> variable.module().equals(module) && variable.kind() == kind)
                .toList();
    }

    /** Returns the share of the variables that are not named after their types, from 0 to 1; 0 if there are none. */
    static double differingShare(List<Variable> variables) {
        return (double) variables.stream()
                        .filter(variable -> !variable.isNamedAfterType())
                        .count()
                / Math.max(1, variables.size());
    }

    /** Returns the variables in the production code of the modules below {@code root}. */
    static List<Variable> of(Path root, List<String> modules) throws IOException {
        Map<String, List<Path>> files = new LinkedHashMap<>();
        Set<String> types = new HashSet<>();
        for (String module : modules) {
            try (Stream<Path> walk = Files.walk(root.resolve(module).resolve("src/main/java"))) {
                files.put(
                        module,
                        walk.filter(file -> file.toString().endsWith(".java"))
                                .sorted()
                                .toList());
            }
            for (Path file : files.get(module)) {
                TYPE_DECLARATION.matcher(Files.readString(file)).results().forEach(match -> types.add(match.group(1)));
            }
        }
        List<Variable> variables = new ArrayList<>();
        for (String module : modules) {
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    null,
                    null,
                    List.of("-proc:none"),
                    null,
                    compiler.getStandardFileManager(null, null, null).getJavaFileObjectsFromPaths(files.get(module)));
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(Trees.instance(task).getSourcePositions(), root, module, unit, types, variables)
                        .scan(unit, null);
            }
        }
        return variables;
    }

    /** Returns the words of a name in lower case and singular. */
    private static Set<String> wordsOf(String name) {
        return Arrays.stream(name.split("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_"))
                .map(word -> singular(word.toLowerCase(Locale.ROOT)))
                .collect(Collectors.toSet());
    }

    private static String singular(String word) {
        return word.replaceFirst("ies$", "y")
                .replaceFirst("(s|x|z|ch|sh)es$", "$1")
                .replaceFirst("(?<=[^s])s$", "");
    }

    private static final class Scanner extends TreeScanner<Void, Void> {
        private final SourcePositions positions;
        private final Path root;
        private final String module;
        private final CompilationUnitTree unit;
        private final Set<String> types;
        private final List<Variable> variables;

        Scanner(
                SourcePositions positions,
                Path root,
                String module,
                CompilationUnitTree unit,
                Set<String> types,
                List<Variable> variables) {
            this.positions = positions;
            this.root = root;
            this.module = module;
            this.unit = unit;
            Set<String> ofOthers = unit.getImports().stream()
                    .map(ImportTree::getQualifiedIdentifier)
                    .map(Tree::toString)
                    .filter(type -> !type.startsWith("dev.spur."))
                    .map(VariableNames::lastPart)
                    .collect(Collectors.toSet());
            this.types = types.stream().filter(type -> !ofOthers.contains(type)).collect(Collectors.toSet());
            this.variables = variables;
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            for (Tree member : tree.getMembers()) {
                if (member instanceof VariableTree field
                        && !CONSTANT.matcher(field.getName()).matches()) {
                    add(field, Kind.FIELD);
                }
            }
            return super.visitClass(tree, null);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            tree.getParameters().forEach(parameter -> add(parameter, Kind.PARAMETER));
            return super.visitMethod(tree, null);
        }

        @Override
        public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
            tree.getParameters().forEach(parameter -> add(parameter, Kind.PARAMETER));
            return super.visitLambdaExpression(tree, null);
        }

        @Override
        public Void visitCatch(CatchTree tree, Void nothing) {
            VariableTree parameter = tree.getParameter();
            variables.add(variable(parameter, Kind.CATCH, parameter.getType().toString()));
            return super.visitCatch(tree, null);
        }

        private void add(VariableTree variable, Kind kind) {
            String type = variable.getType() == null ? "" : elementType(variable.getType());
            if (types.contains(type)) {
                variables.add(variable(variable, kind, type));
            }
        }

        private Variable variable(VariableTree variable, Kind kind, String type) {
            Path file = Path.of(unit.getSourceFile().toUri());
            long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, variable));
            return new Variable(
                    module,
                    kind,
                    type,
                    variable.getName().toString(),
                    root.toAbsolutePath().relativize(file) + ":" + line);
        }

        private static String elementType(Tree type) {
            if (type instanceof ArrayTypeTree array) {
                return elementType(array.getType());
            }
            if (type instanceof AnnotatedTypeTree annotated) {
                return elementType(annotated.getUnderlyingType());
            }
            if (type instanceof ParameterizedTypeTree generic) {
                String name = lastPart(generic.getType().toString());
                List<? extends Tree> arguments = generic.getTypeArguments();
                return CONTAINER.matcher(name).matches() && !arguments.isEmpty()
                        ? elementType(arguments.get(arguments.size() - 1))
                        : name;
            }
            if (type instanceof WildcardTree wildcard) {
                return wildcard.getBound() == null ? "" : elementType(wildcard.getBound());
            }
            return lastPart(type.toString());
        }
    }

    private static String lastPart(String name) {
        Matcher matcher = Pattern.compile("\\w+$").matcher(name);
        return matcher.find() ? matcher.group() : name;
    }
}

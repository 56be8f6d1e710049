package dev.spur.service.web;

import dev.spur.service.database.NamedResourceTable;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.database.Versioned;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * Routes of a named resource: read, create, replace and delete by the rules of ETags. Each change is one transaction
 * that has locked the row.
 *
 * @param <T> the resource
 * @param <V> its form in responses
 */
public abstract class NamedResourceController<T extends Record, V> {
    private final Kind<T> kind;
    private final NamedResourceTable<T> store;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    protected NamedResourceController(
            Kind<T> kind, NamedResourceTable<T> store, RoundTrigger trigger, AuditTrail trail) {
        this.kind = kind;
        this.store = store;
        this.trigger = trigger;
        this.trail = trail;
    }

    /**
     * A kind of resource.
     *
     * @param words its display name
     * @param name returns the name of a resource
     * @param rules validation rules that the schema cannot express
     */
    public record Kind<T>(String words, Function<T, String> name, Rules<T> rules) {}

    /** Validation rules that need the database. */
    public interface Rules<T> {
        /** Adds the violations of {@code value} to {@code errors}; {@code before} is null for a new resource. */
        void check(T value, @Nullable T before, List<FieldError> errors);

        /**
         * Returns the value with derived parts. Called before it is compared with {@code before}, checked and stored.
         */
        default T complete(T value, @Nullable T before) {
            return value;
        }

        /** Descriptions of the known references to the resource; empty if there are none. */
        default List<String> usersOf(T value) {
            return List.of();
        }
    }

    /** The form in responses. */
    protected abstract V view(T value);

    /** The tag of a view of {@code version}. */
    protected EntityTag tag(long version, V view) {
        return EntityTag.of(version);
    }

    /** Rejects a change beyond the scope of the caller. */
    protected void requireInScope(T value, AccessScope scope) {}

    /** A page of the resources in the scope that match. */
    protected final Page<T> list(AccessScope scope, PageRequest page, Predicate<T> matches) {
        return page.read(
                        "",
                        (after, max) -> store.list(scope, after, max),
                        this::nameOf,
                        resource -> matches.test(resource.value()))
                .map(Versioned::value);
    }

    @GetMapping("/{name}")
    public ResponseEntity<V> get(@PathVariable String name) {
        Versioned<T> found = find(name);
        V view = view(found.value());
        return tag(found.version(), view).ok(view);
    }

    private Versioned<T> find(String name) {
        return store.find(name).orElseThrow(() -> ProblemException.notFound(kind.words(), name));
    }

    @PutMapping("/{name}")
    @Transactional
    public ResponseEntity<V> put(
            @RequestBody T given,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestHeader("If-None-Match") Optional<String> ifNoneMatch,
            @RequestParam(defaultValue = "false") boolean dryRun,
            AccessScope scope) {
        requireInScope(given, scope);
        if (dryRun) {
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
        }
        AtomicBoolean created = new AtomicBoolean();
        Versioned<T> before = store.lock(kind.name().apply(given)).orElse(null);
        T value = kind.rules().complete(given, before == null ? null : before.value());
        if (before != null) {
            refuseToReplace(ifNoneMatch);
            requireMatch(ifMatch, before, value);
            return response(notifyChange(replace(before, value)));
        }
        Versioned<T> stored = notifyChange(create(value, ifMatch, ifNoneMatch, created));
        if (!created.get()) {
            return response(stored);
        }
        String path =
                ServletUriComponentsBuilder.fromCurrentRequestUri().build().getPath();
        return ResponseEntity.created(URI.create(Objects.requireNonNull(path)))
                .eTag(EntityTag.of(stored.version()).header())
                .body(view(stored.value()));
    }

    private Versioned<T> create(
            T value, Optional<String> ifMatch, Optional<String> ifNoneMatch, AtomicBoolean created) {
        if (ifMatch.isPresent()) {
            throw ProblemException.of(
                    ProblemType.PRECONDITION_FAILED,
                    FieldError.inHeader("If-Match", "names a version, but the resource does not exist"));
        }
        check(value, null);
        if (!store.insert(value)) {
            refuseToReplace(ifNoneMatch);
            return store.lock(kind.name().apply(value))
                    .filter(other -> value.equals(other.value()))
                    .orElseThrow(() -> ProblemException.of(
                            ProblemType.PRECONDITION_REQUIRED,
                            FieldError.inHeader("If-Match", "is required: another request has just created it")));
        }
        created.set(true);
        trail.recordChange(kind.words(), kind.name().apply(value), null, value);
        return new Versioned<>(value, 1);
    }

    private static void refuseToReplace(Optional<String> ifNoneMatch) {
        if (ifNoneMatch.isPresent()) {
            throw ProblemException.of(
                    ProblemType.PRECONDITION_FAILED,
                    FieldError.inHeader("If-None-Match", "forbids replacement, and the resource exists"));
        }
    }

    /** A value that equals the stored one needs no If-Match: a repeated PUT changes nothing. */
    private static <T extends Record> void requireMatch(Optional<String> ifMatch, Versioned<T> before, T value) {
        EntityTag tag = EntityTag.of(before.version());
        if (value.equals(before.value())) {
            tag.allow(ifMatch);
        } else {
            tag.require(ifMatch);
        }
    }

    /** Changes an existing resource, whatever its version, in the transaction of the caller. */
    protected final ResponseEntity<V> change(String name, UnaryOperator<T> edit) {
        return change(name, Optional.of("*"), edit);
    }

    /** Changes an existing resource in the version that If-Match names, in the transaction of the caller. */
    protected final ResponseEntity<V> change(String name, Optional<String> ifMatch, UnaryOperator<T> edit) {
        Versioned<T> before = store.lock(name).orElseThrow(() -> ProblemException.notFound(kind.words(), name));
        EntityTag.of(before.version()).require(ifMatch);
        return response(notifyChange(replace(before, edit.apply(before.value()))));
    }

    @DeleteMapping("/{name}")
    @Transactional
    public ResponseEntity<Void> delete(@PathVariable String name, @RequestHeader("If-Match") Optional<String> ifMatch) {
        Versioned<T> before = store.lock(name).orElseThrow(() -> ProblemException.notFound(kind.words(), name));
        EntityTag.of(before.version()).allow(ifMatch);
        List<String> users = kind.rules().usersOf(before.value());
        if (!users.isEmpty()) {
            throw ProblemException.of(
                    ProblemType.IN_USE, users.stream().map(FieldError::of).toList());
        }
        store.delete(name).ifPresent(referring -> {
            throw ProblemException.of(
                    ProblemType.IN_USE,
                    FieldError.of("%s refer to the %s %s".formatted(referring, kind.words(), name)));
        });
        trail.recordChange(kind.words(), name, before.value(), null);
        notifyChange(before);
        return ResponseEntity.noContent().build();
    }

    private Versioned<T> replace(Versioned<T> before, T value) {
        if (value.equals(before.value())) {
            return before;
        }
        check(value, before.value());
        store.replace(value);
        trail.recordChange(kind.words(), kind.name().apply(value), before.value(), value);
        return new Versioned<>(value, before.version() + 1);
    }

    private void check(T value, @Nullable T before) {
        List<FieldError> errors = new ArrayList<>();
        kind.rules().check(value, before, errors);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
    }

    private Versioned<T> notifyChange(Versioned<T> result) {
        trigger.requestRound(kind.words() + " " + nameOf(result));
        return result;
    }

    private ResponseEntity<V> response(Versioned<T> stored) {
        return EntityTag.of(stored.version()).ok(view(stored.value()));
    }

    private String nameOf(Versioned<T> resource) {
        return kind.name().apply(resource.value());
    }
}

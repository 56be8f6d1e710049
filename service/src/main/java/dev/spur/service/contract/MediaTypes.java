package dev.spur.service.contract;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** Content negotiation by the contract. */
final class MediaTypes {
    private MediaTypes() {}

    static void checkAccept(HttpServletRequest request, Operation operation) {
        String accept = request.getHeader("Accept");
        if (accept == null || accept.equals("*/*") || operation.produces().isEmpty()) {
            return;
        }
        if (!acceptsOneOf(accept, operation)) {
            String known = operation.produces().stream().sorted().collect(Collectors.joining(", "));
            throw ProblemException.of(
                    ProblemType.NOT_ACCEPTABLE, FieldError.inHeader("Accept", "allows none of " + known));
        }
    }

    private static boolean acceptsOneOf(String accept, Operation operation) {
        try {
            List<MediaType> wanted = MediaType.parseMediaTypes(accept);
            return operation.produces().stream()
                    .map(MediaType::parseMediaType)
                    .anyMatch(type -> wanted.stream().anyMatch(w -> w.getQualityValue() > 0 && w.includes(type)));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /**
     * The schema of the body of the request.
     *
     * @throws ProblemException 415 if its media type, charset or encoding is unsupported
     */
    static SchemaCheck bodySchema(HttpServletRequest request, Operation operation) {
        String encoding = request.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw unsupported("Content-Encoding", "must be absent");
        }
        SchemaCheck schema = schema(request.getContentType(), operation);
        if (schema == null) {
            String known = operation.bodies().keySet().stream().sorted().collect(Collectors.joining(" or "));
            throw unsupported("Content-Type", "must be " + known + ", in UTF-8");
        }
        return schema;
    }

    private static @Nullable SchemaCheck schema(@Nullable String contentType, Operation operation) {
        if (contentType == null) {
            return null;
        }
        try {
            MediaType type = MediaType.parseMediaType(contentType);
            Charset charset = type.getCharset();
            boolean readable = charset == null || charset.equals(StandardCharsets.UTF_8);
            return readable ? operation.bodies().get(type.getType() + "/" + type.getSubtype()) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static ProblemException unsupported(String header, String message) {
        return ProblemException.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, FieldError.inHeader(header, message));
    }
}

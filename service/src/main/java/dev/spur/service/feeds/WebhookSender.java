package dev.spur.service.feeds;

import dev.spur.service.database.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Sends one attempt of a delivery. It follows no redirect, uses no proxy, keeps no connection, and connects only to
 * addresses that {@link DestinationCheck} allows.
 */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // the end of an attempt cancels its deadline
class WebhookSender {
    private static final int MAX_RESPONSE_BYTES = 16_384;

    private final WebhookProperties properties;
    private final CloseableHttpClient client;
    private final ScheduledExecutorService deadlines =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.withName("spur-webhook-deadlines"));

    private final Clock clock = Clock.systemUTC();

    @Autowired
    WebhookSender(WebhookProperties properties) {
        this(properties, SystemDefaultDnsResolver.INSTANCE);
    }

    WebhookSender(WebhookProperties properties, DnsResolver resolver) {
        this.properties = properties;
        Timeout timeout = Timeout.of(properties.timeout());
        this.client = HttpClients.custom()
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableContentCompression()
                .setUserAgent("spur-webhooks")
                .setConnectionReuseStrategy((request, response, context) -> false)
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(new DestinationCheck(resolver, properties))
                        .setMaxConnTotal(WebhookDispatcher.THREADS)
                        .setMaxConnPerRoute(WebhookDispatcher.THREADS)
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(timeout)
                                .setSocketTimeout(timeout)
                                .build())
                        .build())
                .setDefaultRequestConfig(
                        RequestConfig.custom().setResponseTimeout(timeout).build())
                .build();
    }

    /**
     * Result of an attempt.
     *
     * @param status status of the response; null if there was none
     * @param error cause of the failure; null if the receiver accepted the delivery
     */
    record Attempt(@Nullable Integer status, @Nullable String error) {}

    /** Sends a delivery and waits for the response, at most for the timeout. */
    Attempt send(String url, String secret, String id, String body) {
        long timestamp = clock.instant().getEpochSecond();
        HttpPost request;
        try {
            request = new HttpPost(url);
        } catch (IllegalArgumentException invalid) {
            return new Attempt(null, reason(invalid));
        }
        request.setHeader("webhook-id", id);
        request.setHeader("webhook-timestamp", timestamp);
        request.setHeader("webhook-signature", WebhookSignature.of(secret, id, timestamp, body));
        request.setEntity(new StringEntity(body, ContentType.APPLICATION_JSON.withCharset(StandardCharsets.UTF_8)));
        // a response that arrives byte by byte would never exceed the timeout of a single read
        Future<?> deadline =
                deadlines.schedule(request::cancel, properties.timeout().toMillis(), TimeUnit.MILLISECONDS);
        try {
            return client.execute(request, WebhookSender::attempt);
        } catch (IOException | RuntimeException failure) {
            return new Attempt(
                    null,
                    request.isCancelled()
                            ? "no complete response within %d ms"
                                    .formatted(properties.timeout().toMillis())
                            : reason(failure));
        } finally {
            deadline.cancel(false);
        }
    }

    private static Attempt attempt(ClassicHttpResponse response) throws IOException {
        int status = response.getCode();
        if (response.getEntity() != null) {
            try (InputStream body = response.getEntity().getContent()) {
                body.readNBytes(MAX_RESPONSE_BYTES);
            }
        }
        if (status >= 200 && status < 300) {
            return new Attempt(status, null);
        }
        return new Attempt(
                status,
                status >= 300 && status < 400
                        ? "the receiver redirects (%d), which the service does not follow".formatted(status)
                        : "the receiver responds with status " + status);
    }

    private static String reason(Exception failure) {
        String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return message.substring(0, Math.min(message.length(), 500)).replaceAll("\\p{Cntrl}", " ");
    }

    @EventListener(ContextClosedEvent.class)
    void close() throws IOException {
        deadlines.shutdownNow();
        client.close();
    }
}

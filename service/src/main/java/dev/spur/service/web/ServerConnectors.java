package dev.spur.service.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Set;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Connectors of the web server: the main one, and one for health probes with its own threads. */
@Configuration(proxyBeanMethods = false)
public class ServerConnectors {
    private static final int PROBE_THREADS = 4;
    private static final int PROBE_CONNECTIONS = 64;

    /**
     * Settings of the probe connector.
     *
     * @param port separate port for health and metrics; 0 for none
     */
    @ConfigurationProperties("spur.probes")
    public record ProbeProperties(@DefaultValue("0") int port) {
        public ProbeProperties {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("spur.probes.port (%d) is not between 0 and 65535".formatted(port));
            }
        }
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectors(ProbeProperties probes) {
        return factory -> {
            factory.addConnectorCustomizers(ServerConnectors::closeUnreadBodies);
            if (probes.port() > 0) {
                factory.addAdditionalConnectors(probeConnector(probes.port(), factory));
                factory.addEngineValves(new ProbeValve(probes.port()));
            }
        };
    }

    private static void closeUnreadBodies(Connector connector) {
        connector.addLifecycleListener(event -> {
            if (event.getType().equals(Lifecycle.AFTER_INIT_EVENT)) {
                ProtocolHandler protocol = connector.getProtocolHandler();
                protocol.setAdapter(new UnreadBodyAdapter(protocol.getAdapter()));
            }
        });
    }

    private static Connector probeConnector(int port, TomcatServletWebServerFactory factory) {
        Connector connector = new Connector(TomcatServletWebServerFactory.DEFAULT_PROTOCOL);
        connector.setPort(port);
        if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> protocol) {
            protocol.setAddress(factory.getAddress());
            protocol.setMinSpareThreads(1);
            protocol.setMaxThreads(PROBE_THREADS);
            protocol.setMaxConnections(PROBE_CONNECTIONS);
            protocol.setMaxSwallowSize(0);
        }
        closeUnreadBodies(connector);
        return connector;
    }

    /** Responds with 404 to all paths except probes on the probe port. */
    private static final class ProbeValve extends ValveBase {
        private static final Set<String> SERVED = Set.of("/health", "/health/live", "/health/ready", "/metrics");

        private final int port;

        ProbeValve(int port) {
            super(true);
            this.port = port;
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            if (request.getConnector().getPort() == port && !SERVED.contains(request.getRequestURI())) {
                response.sendError(404);
                return;
            }
            getNext().invoke(request, response);
        }
    }
}

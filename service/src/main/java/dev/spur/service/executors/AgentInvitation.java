package dev.spur.service.executors;

import dev.spur.service.startup.StartupMessage;
import dev.spur.service.web.access.AuthenticationMode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Prints the command that starts an agent, if no executor is connected. A demo needs none: it simulates its jobs. */
@Component
class AgentInvitation implements StartupMessage {
    private static final String DEFAULT_PORT = "8080";

    private final AuthenticationMode mode;
    private final ExecutorStore executors;
    private final Environment environment;
    private final String address;
    private final boolean demo;

    AgentInvitation(
            AuthenticationMode mode,
            ExecutorStore executors,
            Environment environment,
            @Value("${server.address:0.0.0.0}") String address,
            @Value("${spur.demo:false}") boolean demo) {
        this.mode = mode;
        this.executors = executors;
        this.environment = environment;
        this.address = address;
        this.demo = demo;
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (demo || executors.anyAlive()) {
            return lines;
        }
        String url = "http://%s:%s".formatted(host(), environment.getProperty("local.server.port", DEFAULT_PORT));
        if (mode.needsToken()) {
            lines.addAll(withTokens(url));
        } else {
            lines.add("No agent is connected. Start one with: ./spur agent --service " + url);
        }
        return lines;
    }

    static List<String> withTokens(String url) {
        return List.of(
                "No agent is connected. Issue a token for each node with a token of an operator, and start the agent there:",
                "  SPUR_TOKEN=OPERATOR_TOKEN ./spur token create agent-NODE --role executor --node NODE --service "
                        + url,
                "  SPUR_TOKEN=NODE_TOKEN ./spur agent --node NODE --service " + url);
    }

    @Override
    public boolean isSecret() {
        return false;
    }

    /** The address as other machines reach it, where the service listens on all of them. */
    private String host() {
        try {
            InetAddress listening = InetAddress.getByName(address);
            String host = listening.isAnyLocalAddress()
                    ? InetAddress.getLocalHost().getHostName()
                    : listening.getHostAddress();
            return host.contains(":") ? "[" + host + "]" : host;
        } catch (UnknownHostException e) {
            return address;
        }
    }
}

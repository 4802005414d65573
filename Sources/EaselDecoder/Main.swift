import EaselSandbox

/// The worker program of a sandbox. The application that decodes images starts it.
@main
enum Main {
    static func main() {
        Sandbox.runWorkerIfRequested()
        print("easel-decoder decodes images in a sandbox for other programs. Do not run it directly.")
    }
}

import Foundation

extension Files {
    /// The coefficients of `progressiveJPEG` with arithmetic coding in one scan, as libjpeg writes them (SOF9).
    static let arithmeticJPEG = Data(base64Encoded: arithmeticText, options: .ignoreUnknownCharacters) ?? Data()
    /// The same coefficients in ten scans (SOF10).
    static let progressiveArithmeticJPEG =
        Data(base64Encoded: progressiveArithmeticText, options: .ignoreUnknownCharacters) ?? Data()

    private static let arithmeticText = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAoHBwgHBgoICAgLCgoLDhgQDg0NDh0VFhEYIx8lJCIfIiEmKzcvJik0KSEiMEExNDk7Pj4+
        JS5ESUM8SDc9Pjv/2wBDAQoLCw4NDhwQEBw7KCIoOzs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7
        Ozv/yQARCAAoADADASIAAhEBAxEB/8wACgAQEAUBEBEF/9oADAMBAAIRAxEAPwD/AD41VWphclIgL3GQ+yqwlJdXss3DwGWkwGjzdYbW
        YZDJtWc9rVamwM+qNNXR6Vl/16U/iw566ddNRS23f/t2e+Oc+0GKTA83LOW/Alaq9Zd5g78zm/sjB6qljI0GvMqvEaX7EcvEd/O+is2b
        VuH1FuKODMiK1uD+xXWdDJVnJqXsWjX4BHBvf0G0HklRTRuV1iuFyH06MBd0pp76geD64EjH9LYB8H9pB7X6fzpuMy2OydZcETougFEY
        9BQudnpEe0ieJiqODCT65coUsbT5Qg5Bf28szjU6BW70NhgWB56ki0YZLAfz3K8BcZeUrO/qH6CblhNCmmOicuAlfVSoueNI+RccBDMp
        krsiz/crAivN/njmlXTZ/Uu3AdGjw95xrKkw5+HRm1ktkEsS9EKVbWeWDfOilztUUufX6B+nfjj6LbnF1VYSbIJIUpa7PyJUzyYL4D9q
        ubjsvZRWhP8Ai2qIl2eUAj7IoUcM6Al0XOZflMSML1dEKy4S6LKPDprZcCWlUsMkaRnG/9k=
        """
    private static let progressiveArithmeticText = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAoHBwgHBgoICAgLCgoLDhgQDg0NDh0VFhEYIx8lJCIfIiEmKzcvJik0KSEiMEExNDk7Pj4+
        JS5ESUM8SDc9Pjv/2wBDAQoLCw4NDhwQEBw7KCIoOzs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7
        Ozv/ygARCAAoADADASIAAhEBAxEB/8wABgAQARD/2gAMAwEAAhADEAAAAf59glWow119cXU1r30tZmpeQM4T9CjqxgRm0OPAaaCeBb/E
        +fOUkqqTfFs85E+Q2fudXcfA/8wABBAF/9oACAEBAAEFAhnZTCZiV/j6+ISmT9gpg93eamEQSIIaE9ZnausNoKPgxhO/agiMQRDugFWW
        s86tu7cMkxj/zAAEEQX/2gAIAQMBAT8BOZAKwDv36em1gG6TzC0ygIoQ3H8rOXQhIuIi6DJakbZCfQrcrolM/8wABBEF/9oACAECAQE/
        AQ9/m38KqyhYrX1yvKPuvhQNlnczSfWKuKaUQZ0mB6z+6F7A/8wABBAF/9oACAEBAAY/As/syvnLH5xRbJH+DmAPIP/MAAQQBf/aAAgB
        AQABPyGUXKWVmCyCNrP2NVekOVlK3IdHyD1ZSuxXY/T+lVzRlyaUFWvk9gxG/9oADAMBAAIAAwAAABDwiytFmFSC/8wABBEF/9oACAED
        AQE/EESscsoyIQdK1uvBU4kEPg9E3/2qKxu5o23w/8wABBEF/9oACAECAQE/EDbTPYCIeS1dANNAriAiJCAh8LUEVsgAh6TL2mg79aD/
        zAAEEAX/2gAIAQEAAT8QJvuXJd8Spg0yecWqJOAcYImsocK8IkurSpHs2TdrIowjMtnYj/Nac/WPXh3cdZS2vuzvrA6kUuTZbceVqizE
        Pp/I1CUzCGmaW5d0LHxaj79A/9k=
        """
}
